import { oneLine } from './one-line.ts'
import { RefusedForGood } from './refused-for-good.ts'

export type Mailbox = { name: string; address: string }

/** No sign that has a meaning in a header. */
const addressPattern = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/

/** Somebody to write to. The name is only shown, so it is made fit; an address cannot be. */
export function recipient(address: string, name: string | null | undefined): Mailbox {
  if (!addressPattern.test(address)) throw new RefusedForGood('not an address')
  return { name: oneLine(name ?? ''), address }
}

/** 'My Shop <shop@example.com>' or the address alone, as the settings have it. */
export function readMailbox(text: string): Mailbox {
  const [, name = '', address = text] = /^(.*)<([^<>]+)>$/s.exec(text) ?? []
  return { name: oneLine(name), address: oneLine(address) }
}
