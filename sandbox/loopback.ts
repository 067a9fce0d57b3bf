/** This machine and no other, by address: a name could be pointed anywhere. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

export function isLoopbackAddress(address: string | undefined): boolean {
  return address === '::1' || isLoopbackHost((address ?? '').replace(/^::ffff:/, ''))
}

export function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && isLoopbackHost(url.hostname)
}
