const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Checked before the database is asked, which takes anything else for a fault. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}
