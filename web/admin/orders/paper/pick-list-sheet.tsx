import { listPicks, type Slip } from '#contract/paper.ts'
import { formatCount } from '#web/admin/orders/order-text.ts'

/** What is to be taken from the shelf, and the orders that it is for. */
export function PickListSheet({ slips }: { slips: Slip[] }) {
  const quantity = listPicks(slips).reduce((sum, picked) => sum + picked.quantity, 0)
  const warned = slips.filter(({ warnings }) => warnings.length > 0).length
  return (
    <article
      aria-label="Pick list"
      className="rounded-sm border border-line bg-[#fff] p-8 text-sm/6 text-[#111] scheme-light max-sm:p-4 print:p-0"
    >
      <h3 className="text-xl font-bold">Pick list</h3>
      <p className="text-[#555]">
        {`${slips[0]?.printedOn ?? ''} · ${formatCount(slips.length)} order(s) · ${formatCount(quantity)} item(s)`}
        {warned > 0 && ` · ${formatCount(warned)} with a warning, not counted`}
      </p>
      {listPicks(slips).map((product) => (
        <table key={product.slips[0]?.orderId} className="mt-6 w-full">
          <thead className="border-b border-[#999] text-base font-bold">
            <tr>
              <th className="w-28 py-1 text-start align-top">{`${product.quantity} ×`}</th>
              <th className="py-1 text-start wrap-anywhere">{product.productName || 'Unknown'}</th>
            </tr>
          </thead>
          <tbody>
            {product.slips.map((slip) => (
              <tr key={slip.orderId}>
                <td className="py-0.5 align-top">
                  <span
                    aria-hidden
                    className="me-2.5 inline-block size-3 border border-[#555] align-baseline"
                  />
                  {slip.number}
                </td>
                <td className="py-0.5 wrap-anywhere">
                  <bdi>{slip.recipient || '–'}</bdi>
                  {slip.quantity > 1 && ` · ${slip.quantity} ×`}
                  {slip.warnings.map((warning) => (
                    <span key={warning} className="block text-[0.8125rem] font-bold">
                      {warning}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </article>
  )
}
