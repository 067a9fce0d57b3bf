import type { Content, OrderContent } from './letter-content.ts'

const width = 60

/** The letter for those who read plain text, with everything the other has. */
export function writeText(content: Content): string {
  const blocks: (string | undefined)[] = [
    content.shopName,
    `${content.title}\n${content.lead}`,
    ...(content.order ? orderBlocks(content.order) : []),
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

function orderBlocks({ number, item, totals }: OrderContent): string[] {
  const lines = [
    acrossFrom(`${item.quantity} × ${item.name}`, item.price),
    '-'.repeat(width),
    ...totals.map(({ label, value }) => acrossFrom(label, value)),
  ]
  return [`Order number\n${number}`, lines.join('\n')]
}

/** Label to the left, figure to the right; a long label keeps its figure beside it. */
function acrossFrom(label: string, value: string): string {
  return `${label.padEnd(width - value.length - 1)} ${value}`
}
