/** Why a payment could not become an order, in the owner's words. The server's own are for its log. */
const explanations: [pattern: RegExp, words: (...found: string[]) => string][] = [
  [
    /^paid (\S+) instead of (\S+ \S+)$/,
    (paid, asked) => `The customer paid ${paid} instead of ${asked}.`,
  ],
  [
    /^paid in (\S+) instead of (\S+)$/,
    (paid, asked) => `The customer paid in ${paid} instead of ${asked}.`,
  ],
  [
    /before contact and delivery/,
    () => 'The customer paid before telling who they are and where to deliver.',
  ],
  [/does not say readably/, () => 'SumUp does not say clearly how much was paid.'],
  [/belongs to another sale/, () => 'SumUp counts one payment for two sales.'],
  [/another account/, () => 'The money went to another SumUp account.'],
  [
    /another checkout|reference is not ours/,
    () => 'SumUp reports a payment that does not belong to this sale.',
  ],
  [
    /could not be asked for a week/,
    () =>
      'SumUp could not tell for a week whether this was paid. Look for it there by the amount and the day.',
  ],
  [
    /no payment went through|payment has no number/,
    () => 'SumUp says it is paid, but shows no payment.',
  ],
  [
    /checkout says (\w+)/,
    (status) => `A payment went through, but SumUp calls the sale ${status?.toLowerCase()}.`,
  ],
]

export function explainReason(reason: string): string {
  for (const [pattern, words] of explanations) {
    const found = pattern.exec(reason)
    if (found) return words(...found.slice(1))
  }
  return reason
    ? `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`
    : 'It does not fit the sale.'
}
