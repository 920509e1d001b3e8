// Beside the docs: what the linter says of them, and a reload of their page after each build.
const header = document.querySelector('header');
const line = document.querySelector('#state');
const list = document.querySelector('#problems');
const site = document.querySelector('#site');
let shownBuild = 0;

const events = new EventSource('/events');
events.onmessage = ({ data }) => show(JSON.parse(data));
events.onerror = () => {
  line.textContent = 'The preview was stopped. "npm run preview" starts it again.';
  delete header.dataset.result;
};

function show({ phase, problems, failure, builds }) {
  list.replaceChildren(...problems.map(item));
  list.hidden = problems.length === 0;
  line.textContent = summary(phase, problems.length, failure);
  if (phase === 'done') header.dataset.result = problems.length === 0 && !failure ? 'good' : 'bad';
  else delete header.dataset.result;
  if (builds !== shownBuild) reload();
  shownBuild = builds;
}

function summary(phase, count, failure) {
  if (phase === 'working') return 'Building';
  if (failure) return `Not built, so that the page is the one before: ${failure}`;
  if (count === 0) return 'No problems';
  return count === 1 ? '1 problem' : `${count} problems`;
}

function item({ where, message, rule }) {
  const entry = document.createElement('li');
  const place = document.createElement('code');
  place.textContent = where;
  entry.append(place, ` ${message} (${rule})`);
  return entry;
}

/** The same page at the same place, not the first one. */
function reload() {
  if (site.contentWindow.location.href === 'about:blank') site.src = '/docs/index.html';
  else site.contentWindow.location.reload();
}
