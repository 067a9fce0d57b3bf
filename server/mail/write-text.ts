import type { Content } from './letter-content.ts'

const width = 60

/** The letter for those who read plain text, with everything the other has. */
export function writeText(content: Content): string {
  const { item } = content
  const blocks: (string | undefined)[] = [
    content.shopName,
    `${content.title}\n${content.lead}`,
    `Order number\n${content.orderNumber}`,
    [
      acrossFrom(`${item.quantity} × ${item.name}`, item.price),
      '-'.repeat(width),
      ...content.totals.map(({ label, value }) => acrossFrom(label, value)),
    ].join('\n'),
    ...content.sections.map(({ title, lines }) => [title, ...lines].join('\n')),
    content.steps.length > 0
      ? ['What’s next', ...content.steps.map((step) => `- ${step}`)].join('\n')
      : undefined,
    `${content.button.label}:\n${content.button.url}`,
    content.closing &&
      `${[content.closing.text, content.closing.email].filter(Boolean).join(' ')}.`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

/** Label to the left, figure to the right; a long label keeps its figure beside it. */
function acrossFrom(label: string, value: string): string {
  return `${label.padEnd(width - value.length - 1)} ${value}`
}
