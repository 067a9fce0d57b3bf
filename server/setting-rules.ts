import { isIP } from 'node:net'
import { z } from 'zod'

export const words = z.string().trim().min(1).max(200)
export const email = z.email().max(255)

export function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(least).max(most))
}

export function webAddress(...protocols: string[]) {
  return z.url({ protocol: new RegExp(`^(${protocols.join('|')})$`) }).max(1000)
}

/** An address without path, question mark or sign-in: what a link can be put behind. */
export const origin = webAddress('http', 'https')
  .refine((text) => URL.parse(text)?.href === `${URL.parse(text)?.origin}/`)
  .transform((text) => URL.parse(text)?.origin ?? text)

export const domain = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => (/^https?:\/\//.test(text) ? text : `https://${text}`))
  .pipe(origin)

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  if (version === 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

export const proxies = z
  .string()
  .trim()
  .transform((text, context): number | string[] => {
    if (/^([1-9]|10)$/.test(text)) return Number(text)
    const networks = text.split(',').map((network) => network.trim())
    if (networks.every(isNetwork)) return networks
    context.addIssue('neither a count nor a list of addresses')
    return z.NEVER
  })

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export const path = z
  .string()
  .min(1)
  .max(1000)
  .refine((text) => !text.includes('\0'))

/** The public key stands first in SumUp's dashboard, so it is the one people paste by mistake. */
export const secretKey = z
  .string()
  .trim()
  .min(8)
  .max(500)
  .refine((key) => !key.startsWith('sup_pk_') && key !== 'sup_sk_…')

const mailbox = '[^\\s<>@]+@[^\\s<>@]+'
export const sender = z
  .string()
  .max(320)
  .regex(new RegExp(`^([^<>\\r\\n"]+<${mailbox}>|${mailbox})$`))
