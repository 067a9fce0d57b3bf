import { addressForm } from '#web/storefront/shell/language.ts'

/** Where the state is part of an address, whatever it is called there. */
export function hasStates(country: string): boolean {
  return country === '' || addressForm(country).state !== undefined
}

/** The key of what the country calls its states. */
export function stateName(country: string) {
  return addressForm(country).state ?? 'state'
}

/** What is sent, and what it stands for, if it is a code. */
export type State = { value: string; name?: string }

/** Empty where a state is not usual, or there is no list of them. */
export function listStates(country: string): State[] {
  const list = addressForm(country).states
  return list ? list.split(',').map(parseState) : []
}

/** 'CA California', or a name alone. */
function parseState(text: string): State {
  const [first = '', ...rest] = text.split(' ')
  const isCode = rest.length > 0 && first === first.toUpperCase()
  return isCode ? { value: first, name: rest.join(' ') } : { value: text }
}
