import { lookup } from 'node:dns/promises'
import { BlockList } from 'node:net'
import { apiRoutes } from '#contract/paths.ts'
import { localOrigin, type Config } from '#server/config.ts'
import {
  createChallenge,
  openSelfCheck,
  readStart,
  selfCheckHeader,
  type Seen,
} from '#server/http/self-check.ts'
import { findSecret } from '#server/secret.ts'

/* Questions to the shop itself, by the addresses that should lead to it. */

/** For each question to another machine. */
const timeoutMs = 10_000

type Answer = { status: number; headers: Headers; body: string }

export async function ask(url: string, request: RequestInit = {}): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { redirect: 'manual', signal, ...request })
  return {
    status: response.status,
    headers: response.headers,
    body: await readStart(response),
  }
}

/** Whether a shop answers where this configuration says. A shop that listens on all addresses answers on this one too. */
export async function isShopRunning({ host, port }: Config): Promise<boolean> {
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return isShop(localOrigin({ host: local, port })).catch(() => false)
}

export async function isShop(origin: string): Promise<boolean> {
  const { status, body } = await ask(`${origin}${apiRoutes.healthLive}`)
  return status === 200 && body === '{"status":"live"}'
}

/** What the shop sees of a request through this address. Undefined without the secret to read its answer with. */
export async function askSelf(
  config: Config,
  origin: string,
): Promise<Seen | 'another' | undefined> {
  const secret = await findSecret(config)
  if (secret === undefined) return undefined
  const challenge = createChallenge()
  const headers = { [selfCheckHeader]: challenge }
  const { status, body } = await ask(`${origin}${apiRoutes.selfCheck}`, { headers })
  return (status === 200 && openSelfCheck(secret, challenge, body)) || 'another'
}

export type SelfChecks = ReturnType<typeof openSelfChecks>

/** How the running shop sees requests of its own through its public address. */
export function openSelfChecks(config: Config) {
  let last: { publicUrl: string; seen: Seen } | undefined

  return {
    /** How the last request that arrived came in. */
    findLast: () => (last?.publicUrl === config.publicUrl ? last?.seen : undefined),
    /** Sends another. While it does not arrive, as when the proxy restarts, the last one counts. */
    async run(): Promise<void> {
      const { publicUrl } = config
      if (!publicUrl || isOwnAddress(publicUrl, config)) return
      const seen = await askUnlessLinkLocal(config, publicUrl).catch(() => undefined)
      if (seen && seen !== 'another') last = { publicUrl, seen }
    },
  }
}

async function askUnlessLinkLocal(config: Config, publicUrl: string) {
  return (await isLinkLocal(publicUrl)) ? undefined : askSelf(config, publicUrl)
}

/** Whether no proxy can be in between. */
export function isOwnAddress(publicUrl: string, { port }: Config): boolean {
  const url = new URL(publicUrl)
  return url.port === String(port) && /^(localhost|127\..*|\[::1\])$/.test(url.hostname)
}

/** Clouds tell secrets to whoever asks from inside, and no shop is ever there. */
const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocal.addSubnet('fe80::', 10, 'ipv6')
linkLocal.addAddress('fd00:ec2::254', 'ipv6')

export async function isLinkLocal(origin: string): Promise<boolean> {
  const { hostname } = new URL(origin)
  const found = await lookup(hostname.replace(/^\[(.*)\]$/, '$1'), { all: true })
  return found.some(({ address, family }) =>
    linkLocal.check(address, family === 6 ? 'ipv6' : 'ipv4'),
  )
}
