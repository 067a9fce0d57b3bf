import { useEffect, useEffectEvent } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

/** `?parameter=…` opens a form as soon as what it is about has loaded, and then leaves the address. */
export function useWantedForm(
  parameter: string,
  isReady: boolean,
  onWanted: (value: string) => void,
): void {
  const wanted = new URLSearchParams(useSearch()).get(parameter)
  const open = useEffectEvent((value: string) => {
    onWanted(value)
    const params = new URLSearchParams(location.search)
    params.delete(parameter)
    navigate(`${location.pathname}${params.size > 0 ? `?${params}` : ''}`, { replace: true })
  })
  useEffect(() => {
    if (wanted && isReady) open(wanted)
  }, [wanted, isReady])
}
