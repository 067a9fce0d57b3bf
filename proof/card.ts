const numbers = { good: '4200000000000091', declined: '4111111111111111' }
const patienceMs = 8_000

/** What SumUp's widget knows after it has sent a card: how it went, or nothing. */
export type CardOutcome = 'PAID' | 'FAILED' | 'PENDING' | 'processed' | 'unknown'

/** The card widget at work, in the buyer's browser. */
export async function payByCard(
  sumupUrl: string,
  checkoutId: string,
  card: keyof typeof numbers,
): Promise<CardOutcome> {
  const holder = { name: 'Anna', expiry_month: '12', expiry_year: '2039', cvv: '123' }
  try {
    const answer = await fetch(`${sumupUrl}/v0.2/checkouts/${checkoutId}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payment_type: 'card', card: { ...holder, number: numbers[card] } }),
      signal: AbortSignal.timeout(patienceMs),
    })
    if (answer.status === 409) return 'processed'
    if (!answer.ok) return 'unknown'
    const { status } = (await answer.json()) as { status?: string }
    return status === 'PAID' || status === 'FAILED' || status === 'PENDING' ? status : 'unknown'
  } catch {
    return 'unknown'
  }
}
