import { CopyButton } from '#web/storefront/shell/buttons.tsx'

const cards = [
  { number: '4200 0000 0000 0091', outcome: 'succeeds' },
  { number: '4200 0000 0000 0042', outcome: 'asks for 3-D Secure' },
]

/** No money moves here: what to type instead of a real card. */
export function TestCards() {
  return (
    <div className="rounded-lg border border-warning-line bg-warning-wash px-3.5 py-3 text-sm">
      <p className="font-medium text-warning">Test cards</p>
      <ul className="mt-1">
        {cards.map((card) => (
          <TestCard key={card.number} {...card} />
        ))}
      </ul>
      <p className="mt-1 text-soft">
        Any future date and any CVC. Any other number is declined. No money moves.
      </p>
    </div>
  )
}

function TestCard({ number, outcome }: (typeof cards)[number]) {
  return (
    <li className="flex min-h-8 flex-wrap items-center gap-x-2 pointer-coarse:min-h-11">
      <bdi className="font-mono whitespace-nowrap">{number}</bdi>
      <CopyButton text={number.replaceAll(' ', '')} label={`Copy ${number}`} />
      <span className="text-soft">{outcome}</span>
    </li>
  )
}
