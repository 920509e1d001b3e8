// The page can be read without this: it filters the requirements, copies texts, and unfolds what is printed.
(() => {
  const form = document.querySelector('#filter');
  const rows = [...document.querySelectorAll('#requirements tbody tr')];
  const shown = document.querySelector('#filtered');

  function filter() {
    const { text, outcome, level, area } = Object.fromEntries(new FormData(form));
    const words = text.toLowerCase().split(/\s+/);
    const wanted = { outcome, level, area };
    let count = 0;
    for (const row of rows) {
      const content = row.textContent.toLowerCase();
      const isWanted =
        words.every((word) => content.includes(word)) &&
        Object.entries(wanted).every(([name, value]) => value === '' || row.dataset[name] === value);
      row.hidden = !isWanted;
      if (isWanted) count += 1;
    }
    shown.textContent = `${count} of ${rows.length}`;
  }

  async function copy(button) {
    const text = button.previousElementSibling.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      // Without access to the clipboard the text is selected, for the keyboard to copy.
      getSelection().selectAllChildren(button.previousElementSibling);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  }

  form.hidden = false;
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  filter();

  for (const button of document.querySelectorAll('button.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => copy(button));
  }

  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('#failures details')) details.open = true;
  });
})();
