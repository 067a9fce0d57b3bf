/** 'https://www.google.com' is known as google.com; what is no address stays as it is. */
export function referrerName(referrer: string): string {
  const host = URL.parse(referrer)?.host
  return host ? host.replace(/^www\./, '') : referrer
}
