/** Lower case, without port and final dot. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
}

export function hostOfUrl(url: string): string {
  return plainHost(new URL(url).hostname)
}
