const uniqueViolation = '23505'

/** Whether the database refused a payment's number because another sale already has it. */
export function isTransactionUsed(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause) || cause.code !== uniqueViolation) continue
    return 'constraint' in cause && String(cause.constraint).includes('transaction_id')
  }
  return false
}
