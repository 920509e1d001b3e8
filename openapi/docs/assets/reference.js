// Redoc's page is prerendered for its first view; a link to another one shows that once it is ready.
if (/^#\/./.test(location.hash)) document.documentElement.classList.add('deep-link');

// What its markup leaves out for those who do not see it: where the content and the menu are, headings in their order, and what
// stands on its menu of examples, which is called "Example" whatever that is.
function mend() {
  const main = document.querySelector('#redoc main');
  if (main !== null && main.id === '') {
    main.id = 'site-main';
    main.tabIndex = -1;
  }
  for (const menu of document.querySelectorAll('#redoc .menu-content'))
    set(menu, 'role', 'navigation', 'Operations');
  for (const heading of document.querySelectorAll('#redoc main :is(h4, h5)')) {
    set(heading, 'aria-level', heading.tagName === 'H4' ? '3' : '4');
  }
  for (const button of document.querySelectorAll('#redoc button[aria-label^="Example"]')) {
    set(button, 'aria-label', `Example: ${button.textContent}`);
  }
}

function set(element, name, value, label) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  if (label !== undefined && !element.hasAttribute('aria-label')) element.setAttribute('aria-label', label);
}

new MutationObserver(mend).observe(document, { childList: true, subtree: true, characterData: true });

// Its router takes every fragment for a view, so that the link past the menu moves the focus by itself.
document.addEventListener('click', (event) => {
  const main = document.querySelector('#redoc main');
  if (main === null || event.target.closest('a.skip') === null) return;
  event.preventDefault();
  main.focus();
});
