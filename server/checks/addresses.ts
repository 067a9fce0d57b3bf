import { pages } from '#contract/paths.ts'
import type { Config } from '#server/config.ts'
import { hostOfUrl } from '#server/hosts.ts'
import { isLoopback, isPrivate } from '#server/http/client-address.ts'
import type { Seen } from '#server/http/self-check.ts'
import { ask, askSelf, isLinkLocal, isOwnAddress, isShop } from './ask.ts'
import { describeFault, fail, isLive, ok, warn, type Check, type Finding } from './check.ts'

export const addressChecks: Check[] = [
  {
    code: 'public address',
    shownIn: { doctor: true, step: 'address', link: 'live', start: 'Next' },
    async find(facts) {
      const { config, askAddress } = facts
      if (config.publicUrl) return askAddress?.()
      return {
        level: (await isLive(facts)) ? 'warn' : 'note',
        title: 'The shop has no public address: its links work on this computer only.',
        text: 'SumUp cannot announce payments either: the shop asks by itself, a little later.',
        todo: 'Enter the address that your customers will use.',
        place: 'address',
        setting: 'PUBLIC_URL=https://shop.example.com',
      }
    },
  },
  // A proxy that does not say for whom it asks makes all visitors look like one, and like somebody on this machine.
  {
    code: 'proxy headers',
    shownIn: { doctor: true },
    async find({ config, machine }) {
      const { publicUrl } = config
      if (!machine) return undefined
      if (!publicUrl) return notLookedAt('PUBLIC_URL is not set', 'See public address above.')
      if (!machine.isRunning) return notLookedAt('the shop is not running', 'Start it first.')
      if (isOwnAddress(publicUrl, config)) return ok('There is no proxy.')
      const seen = await askSelf(config, publicUrl)
      if (seen === undefined)
        return notLookedAt('the secret of the shop is not here', 'See secret above.')
      if (seen === 'another')
        return notLookedAt(`${publicUrl} leads elsewhere`, 'See public address above.')
      return judgeProxy(seen, publicUrl)
    },
  },
  // The same while the shop runs, where nobody waits for an answer.
  {
    code: 'visitors',
    shownIn: { notice: 'proxy' },
    find({ config: { publicUrl }, ownRequest, adminRequest }) {
      const found =
        (publicUrl && ownRequest && judgeProxy(ownRequest, publicUrl)) ||
        (adminRequest && judgeProxyOfAdmin(adminRequest, publicUrl))
      return found?.level === 'fail' ? { ...found, level: 'warn' } : undefined
    },
  },
  {
    code: 'custom domain',
    shownIn: { doctor: true, notice: 'custom-domain' },
    async find(facts) {
      const { config, machine } = facts
      if (config.customDomain)
        return machine && askCustomDomain(config.customDomain, machine.isRunning)
      return (await isLive(facts))
        ? {
            level: 'warn',
            title: 'Payment pages should have a domain of their own.',
            text: "They run SumUp's script on the same address as this back-office, where it could act in your name if it were ever tampered with.",
            todo: 'Point a second domain at the shop: payment pages then move there by themselves.',
            place: 'address',
            setting: 'CUSTOM_DOMAIN=pay.example.com',
          }
        : undefined
    },
  },
  {
    code: 'host names',
    shownIn: { notice: 'custom-domain' },
    find({ config, findReplacedHost }) {
      const host = config.customDomain && findReplacedHost?.()
      if (!host) return undefined
      return {
        level: 'urgent',
        title: 'Payment pages and this back-office are not kept apart.',
        text: `Pages were asked for as ${host}, which is neither the address of your shop nor the domain of your payment pages.`,
        todo: 'If a proxy asks so, let it pass on the name that people typed.',
        howTo: 'in nginx: proxy_set_header Host $host;',
        place: 'address',
      }
    },
  },
]

/** `publicUrl` may be another one than that of the configuration, whose secret the answer is read with. */
export async function askPublicUrl(
  config: Config,
  publicUrl: string,
  isRunning = true,
): Promise<Finding> {
  const reached = await askAddress(publicUrl, isRunning)
  if (reached.level !== 'ok') return reached
  if ((await askSelf(config, publicUrl).catch(() => 'another')) === 'another')
    return fail(
      `Another shop answers at ${publicUrl}, or an older version, or one with another secret.`,
      'Check where its DNS entry and the proxy lead, and that the shop there has this version and secret.',
    )
  if (publicUrl.startsWith('https:')) return reached
  return warn(`${publicUrl} is not encrypted.`, 'Put a proxy with TLS in front of it.')
}

async function askAddress(origin: string, isRunning: boolean): Promise<Finding> {
  if (!isRunning)
    return warn(`${origin}: the shop is not running, so nobody can tell.`, 'Start it first.')
  try {
    if (await isLinkLocal(origin)) return describeElsewhere(origin, 'it is link-local')
    if (await isShop(origin)) return ok(`${origin} leads here.`)
    return describeElsewhere(origin, 'something else answers')
  } catch (error) {
    const fault = describeFault(error)
    const reason = ownerReasons.find(([pattern]) => pattern.test(fault))?.[1]
    const found = describeElsewhere(origin, fault)
    const title = reason ? `${origin} cannot be reached from here: ${reason}.` : found.title
    return { ...found, title, isUnreachable: true }
  }
}

/**
 * One text whatever is there, if anything: the owner may check any address, and somebody with a borrowed session must
 * not learn from it what runs in the network of the shop.
 */
function describeElsewhere(origin: string, detail: string): Finding {
  return {
    level: 'fail',
    title: `${origin} cannot be reached from here, or does not lead to the shop.`,
    todo: 'Check its DNS entry, the certificate and the proxy, which has to pass on everything, with the Host header as it came. If only this machine cannot reach it, all is well.',
    detail,
  }
}

/** What owners meet most often. */
const ownerReasons: [fault: RegExp, reason: string][] = [
  [/ENOTFOUND|EAI_AGAIN/, 'no DNS entry has this name'],
  [/certificate|CERT_|_CERT/i, 'its certificate is not accepted'],
]

function notLookedAt(reason: string, todo: string): Finding {
  return warn(`Not looked at: ${reason}.`, todo)
}

/** What a request that came through the public address tells of the proxy there. */
export function judgeProxy(seen: Seen, publicUrl: string): Finding {
  const isEncrypted = publicUrl.startsWith('https:')
  if (!seen.hasForwardedFor) {
    // The shop itself has no certificate, and who asks by a public name is no process of this machine.
    return !isEncrypted && !isLoopback(seen.peer)
      ? ok('There is no proxy.')
      : looksLikeOne(
          `The proxy at ${seen.peer} does not say for whom it asks, so visitors share its limits.`,
          'Let it send X-Forwarded-For.',
          'in nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
        )
  }
  if (!seen.isTrusted)
    return looksLikeOne(
      `Requests arrive through a proxy at ${seen.peer}, which is not trusted, so limits are loose.`,
      'If it is yours, tell the shop so and start it again.',
      `TRUST_PROXY=${seen.peer}`,
    )
  if (seen.hasMoreHops)
    return looksLikeOne(
      'Requests arrive through another proxy in front of yours, so visitors count as that proxy, and limits are loose.',
      'Tell the shop how many proxies there are, and start it again.',
      'TRUST_PROXY=2',
    )
  if (isEncrypted && seen.protocol !== 'https')
    return fail(
      `The proxy at ${publicUrl} does not say that it was asked by https.`,
      'Let it set X-Forwarded-Proto: see deploy/nginx.conf.',
    )
  return ok('The proxy says for whom it asks.')
}

function looksLikeOne(text: string, todo: string, howTo: string): Finding {
  return { level: 'fail', title: 'All visitors look like one.', text, todo, howTo }
}

/**
 * The same where the shop cannot reach its own address. An admin is believed, but not what is between them and the shop's own
 * network: a proxy of their company may send headers too.
 */
function judgeProxyOfAdmin(
  { host, ...seen }: Seen & { host: string },
  publicUrl: string | undefined,
): Finding | undefined {
  const isUntrusted = seen.hasForwardedFor && !seen.isTrusted && isPrivate(seen.peer)
  const isSilent =
    !seen.hasForwardedFor && seen.isTrusted && publicUrl && hostOfUrl(publicUrl) === host
  return isUntrusted || isSilent ? judgeProxy(seen, publicUrl ?? '') : undefined
}

async function askCustomDomain(origin: string, isRunning: boolean): Promise<Finding> {
  const reached = await askAddress(origin, isRunning)
  if (reached.level !== 'ok') return reached
  const { status } = await ask(`${origin}${pages.login}`)
  return status === 404
    ? reached
    : fail(
        `${origin}${pages.login} answers ${status}: there the shop does not know by which domain it is asked.`,
        'Let the proxy pass on the Host header as it came.',
      )
}

/** Before it is saved. Until then the shop cannot tell the custom domain from the address of the back-office. */
export function askNewAddress(
  config: Config,
  kind: 'publicUrl' | 'customDomain',
  origin: string,
): Promise<Finding> {
  return kind === 'publicUrl' ? askPublicUrl(config, origin) : askAddress(origin, true)
}
