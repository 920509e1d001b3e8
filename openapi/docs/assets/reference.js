// Redoc's page is prerendered for its first view; a link to another one shows that once it is ready.
if (/^#\/./.test(location.hash)) document.documentElement.classList.add('deep-link');

// Its menu of examples is called "Example", whatever stands on it. Who speaks to a computer says what stands there.
function nameByText(button) {
  const name = `Example: ${button.textContent}`;
  if (button.getAttribute('aria-label') !== name) button.setAttribute('aria-label', name);
}

new MutationObserver(() => {
  for (const button of document.querySelectorAll('#redoc button[aria-label^="Example"]')) nameByText(button);
}).observe(document, { childList: true, subtree: true, characterData: true });

// Its router takes every fragment for a view, so that the link past the menu moves the focus by itself.
document.addEventListener('click', (event) => {
  const main = document.querySelector('#redoc main');
  if (main === null || event.target.closest('a.skip') === null) return;
  event.preventDefault();
  main.tabIndex = -1;
  main.focus();
});
