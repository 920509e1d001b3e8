const ANCHOR = '<a id="([\\w-]+)"></a>\\n';

/**
 * Turns the anchors of DECISIONS.md into headings that keep them: a topic, and below it each question with its answer, so that
 * `decisions.html#errors-shape` is what `DECISIONS.md#errors-shape` was.
 */
export function decisionsMarkdown(source: string): string {
  return source
    .replace(new RegExp(`${ANCHOR}## (.+)`, 'g'), '## $2 {#$1}')
    .replace(
      new RegExp(`${ANCHOR}\\*\\*(.+?)\\*\\*\\s+`, 'gs'),
      (_match, id: string, question: string) => `### ${question.replace(/\s+/g, ' ')} {#${id}}\n\n`,
    );
}
