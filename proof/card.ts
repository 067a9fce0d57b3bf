const numbers = {
  good: '4200000000000091',
  declined: '4111111111111111',
  /** The bank asks its owner to confirm. */
  challenged: '4200000000000042',
}
export type Card = keyof typeof numbers

const patienceMs = 8_000

/** What SumUp's widget knows after it has sent a card: how it went, or nothing. */
export type CardOutcome = 'PAID' | 'FAILED' | 'PENDING' | 'processed' | 'expired' | 'unknown'

/** The card widget at work, in the buyer's browser. A challenged card is PENDING until the bank has answered. */
export async function payByCard(
  sumupUrl: string,
  checkoutId: string,
  card: Card,
): Promise<CardOutcome> {
  const holder = { name: 'Anna', expiry_month: '12', expiry_year: '2039', cvv: '123' }
  try {
    const answer = await fetch(`${sumupUrl}/v0.2/checkouts/${checkoutId}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payment_type: 'card', card: { ...holder, number: numbers[card] } }),
      signal: AbortSignal.timeout(patienceMs),
    })
    if (answer.status === 202) return 'PENDING'
    if (answer.status === 409)
      return (await answer.text()).includes('SESSION_IS_EXPIRED') ? 'expired' : 'processed'
    if (!answer.ok) return 'unknown'
    const { status } = (await answer.json()) as { status?: string }
    return status === 'PAID' || status === 'FAILED' || status === 'PENDING' ? status : 'unknown'
  } catch {
    return 'unknown'
  }
}
