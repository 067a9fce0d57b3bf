const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Checked before a query, where anything else would be an error. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}
