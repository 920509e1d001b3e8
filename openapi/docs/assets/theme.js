// Runs before anything is painted. Redoc keeps its choice under the same key, so that both agree.
const KEPT = 'redoc.colorMode';
const root = document.documentElement;

function keptMode() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function apply() {
  const kept = keptMode();
  const isDark =
    kept === 'light' || kept === 'dark'
      ? kept === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
  root.classList.toggle('dark', isDark);
  root.classList.toggle('light', !isDark);
}

apply();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
root.classList.add('scripted');

globalThis.sendspecTheme = {
  toggle() {
    const next = root.classList.contains('dark') ? 'light' : 'dark';
    try {
      localStorage.setItem(KEPT, next);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    root.classList.toggle('dark', next === 'dark');
    root.classList.toggle('light', next === 'light');
    return next;
  },
};
