/** Whether it names a time zone. Offsets like +05:30 do not: PostgreSQL reads their sign the other way round. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** The time zone of this machine; UTC where it is not known. */
export function localTimeZone(): string {
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined
  return timeZone && timeZone !== 'Etc/Unknown' ? timeZone : 'UTC'
}
