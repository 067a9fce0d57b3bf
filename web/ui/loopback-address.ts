/** Addresses that lead every device to itself. */
export function isLoopback(link: string): boolean {
  const host = URL.parse(link)?.hostname ?? ''
  return /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(host)
}
