const name = 'sidebar_state'
const sevenDaysInSeconds = 604_800

/** Expanded unless this browser was left collapsed. */
export function readIsExpanded(cookies: string): boolean {
  return !cookies.split('; ').includes(`${name}=false`)
}

export function isExpandedCookie(isExpanded: boolean): string {
  return `${name}=${isExpanded}; path=/; max-age=${sevenDaysInSeconds}; samesite=lax`
}
