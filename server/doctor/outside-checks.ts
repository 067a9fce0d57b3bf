import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { BlockList } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiRoutes, pages } from '#contract/paths.ts'
import { localOrigin, publicOrigin, type Config } from '#server/config.ts'
import { isLoopback } from '#server/http/client-address.ts'
import {
  createChallenge,
  openSelfCheck,
  readStart,
  selfCheckHeader,
  type Seen,
} from '#server/http/self-check.ts'
import { describeMailError, explainMailError } from '#server/mail/transport.ts'
import { findSecret } from '#server/secret.ts'
import { openSumup } from '#server/sumup/client.ts'
import { checkAccount } from '#server/sumup/payments.ts'
import { openS3Client, type S3Settings } from '#server/uploads/s3-client.ts'
import { describeFault, fail, ok, warn, type Check } from './check.ts'
import { findClockDifference, judgeClock } from './database-checks.ts'

/** For each question to another machine. */
const timeoutMs = 10_000
/** The Date header has whole seconds, and its way here takes time. */
const maxClockDifferenceMs = 5_000

type Answer = { status: number; headers: Headers; body: string }

async function ask(url: string, request: RequestInit = {}): Promise<Answer> {
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

async function isShop(origin: string): Promise<boolean> {
  const { status, body } = await ask(`${origin}${apiRoutes.healthLive}`)
  return status === 200 && body === '{"status":"live"}'
}

export async function checkPublicUrl(config: Config, isRunning: boolean): Promise<Check> {
  const name = 'PUBLIC_URL'
  const { publicUrl } = config
  if (!publicUrl)
    return warn(
      name,
      'It is not set: links in mails lead to this machine, and SumUp cannot announce payments.',
      'Enter the address your buyers use in the settings of the back-office.',
      'PUBLIC_URL=https://shop.example.com',
    )
  const reached = await checkAddress(name, publicUrl, isRunning)
  if (reached.status !== 'ok') return reached
  if ((await askSelf(config, publicUrl).catch(() => 'another')) === 'another')
    return fail(
      name,
      `Another shop answers at ${publicUrl}, or an older version, or one with another secret.`,
      'Check where its DNS entry and the proxy lead, and that the shop there has this version and secret.',
    )
  if (publicUrl.startsWith('https:')) return reached
  return warn(name, `${publicUrl} is not encrypted.`, 'Put a proxy with TLS in front of it.')
}

async function checkAddress(name: string, origin: string, isRunning: boolean): Promise<Check> {
  if (!isRunning)
    return warn(name, `${origin}: the shop is not running, so nobody can tell.`, 'Start it first.')
  try {
    if (await isLinkLocal(origin)) return describeElsewhere(name, origin, 'it is link-local')
    if (await isShop(origin)) return ok(name, `${origin} leads here.`)
    return describeElsewhere(name, origin, 'something else answers')
  } catch (error) {
    const fault = describeFault(error)
    const reason = ownerReasons.find(([pattern]) => pattern.test(fault))?.[1]
    const told = reason
      ? fail(name, `${origin} cannot be reached from here: ${reason}.`, unreachableTodo)
      : describeElsewhere(name, origin, fault)
    return { ...told, detail: fault, isUnreachable: true }
  }
}

/**
 * One text whatever is there, if anything: the owner may check any address, and somebody with a borrowed session must
 * not learn from it what runs in the network of the shop.
 */
function describeElsewhere(name: string, origin: string, detail: string): Check {
  const found = `${origin} cannot be reached from here, or does not lead to the shop.`
  return { ...fail(name, found, unreachableTodo), detail }
}

const unreachableTodo =
  'Check its DNS entry, the certificate and the proxy, which has to pass on everything, with the Host header as it came. If only this machine cannot reach it, all is well.'

/** What owners meet most often. */
const ownerReasons: [fault: RegExp, reason: string][] = [
  [/ENOTFOUND|EAI_AGAIN/, 'no DNS entry has this name'],
  [/certificate|CERT_|_CERT/i, 'its certificate is not accepted'],
]

/** Clouds tell secrets to whoever asks from inside, and no shop is ever there. */
const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocal.addSubnet('fe80::', 10, 'ipv6')
linkLocal.addAddress('fd00:ec2::254', 'ipv6')

async function isLinkLocal(origin: string): Promise<boolean> {
  const { hostname } = new URL(origin)
  const found = await lookup(hostname.replace(/^\[(.*)\]$/, '$1'), { all: true })
  return found.some(({ address, family }) =>
    linkLocal.check(address, family === 6 ? 'ipv6' : 'ipv4'),
  )
}

function isOwnAddress(publicUrl: string, { port }: Config): boolean {
  const url = new URL(publicUrl)
  return url.port === String(port) && /^(localhost|127\..*|\[::1\])$/.test(url.hostname)
}

/** What the shop sees of a request through this address. Undefined without the secret to read its answer with. */
async function askSelf(config: Config, origin: string): Promise<Seen | 'another' | undefined> {
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
    /** Of the last request that arrived. */
    findLast: () => (last?.publicUrl === config.publicUrl ? last?.seen : undefined),
    /** Sends another. While it does not arrive, as when the proxy restarts, the last one counts. */
    async run(): Promise<void> {
      const { publicUrl } = config
      if (!publicUrl || isOwnAddress(publicUrl, config)) return
      const seen = await askPublicUrl(config, publicUrl).catch(() => undefined)
      if (seen && seen !== 'another') last = { publicUrl, seen }
    },
  }
}

async function askPublicUrl(config: Config, publicUrl: string) {
  return (await isLinkLocal(publicUrl)) ? undefined : askSelf(config, publicUrl)
}

/** A proxy that does not say for whom it asks makes all visitors look like one, and like somebody on this machine. */
export async function checkProxyHeaders(config: Config, isRunning: boolean): Promise<Check> {
  const name = 'proxy headers'
  const { publicUrl } = config
  if (!publicUrl)
    return warn(name, 'Not looked at: PUBLIC_URL is not set.', 'See PUBLIC_URL above.')
  if (!isRunning) return warn(name, 'Not looked at: the shop is not running.', 'Start it first.')
  if (isOwnAddress(publicUrl, config)) return ok(name, 'There is no proxy.')
  const seen = await askSelf(config, publicUrl)
  if (seen === undefined)
    return warn(name, 'Not looked at: the secret of the shop is not here.', 'See secret above.')
  if (seen === 'another')
    return warn(name, `Not looked at: ${publicUrl} leads elsewhere.`, 'See PUBLIC_URL above.')
  return judgeProxy(seen, publicUrl)
}

export function judgeProxy(seen: Seen, publicUrl: string): Check {
  const name = 'proxy headers'
  const isEncrypted = publicUrl.startsWith('https:')
  if (!seen.hasForwardedFor) {
    // The shop itself has no certificate, and who asks by a public name is no process of this machine.
    if (!isEncrypted && !isLoopback(seen.peer)) return ok(name, 'There is no proxy.')
    return fail(
      name,
      `The proxy at ${publicUrl} does not say for whom it asks: all visitors count as one.`,
      'Let it set X-Forwarded-For, X-Forwarded-Proto and Host: see deploy/nginx.conf.',
    )
  }
  if (!seen.isTrusted)
    return fail(
      name,
      `The shop does not trust the proxy at ${seen.peer}: all visitors count as one.`,
      `Set TRUST_PROXY=${seen.peer} and start the shop again.`,
    )
  if (seen.hasMoreHops)
    return fail(
      name,
      'The request came through another proxy in front of yours: visitors count as that proxy.',
      'Set TRUST_PROXY to how many proxies there are, such as TRUST_PROXY=2, and start the shop again.',
    )
  if (isEncrypted && seen.protocol !== 'https')
    return fail(
      name,
      `The proxy at ${publicUrl} does not say that it was asked by https.`,
      'Let it set X-Forwarded-Proto: see deploy/nginx.conf.',
    )
  return ok(name, 'The proxy says for whom it asks.')
}

export async function checkCustomDomain(
  { customDomain }: Config,
  { isRunning, isLive, isSaved = true }: { isRunning: boolean; isLive: boolean; isSaved?: boolean },
): Promise<Check> {
  const name = 'custom domain'
  if (!customDomain)
    return isLive
      ? warn(
          name,
          "None: SumUp's script runs on the address of the back-office, where it could act in your name if it were ever tampered with.",
          'Point a second domain at the shop and enter it in the settings of the back-office.',
          'CUSTOM_DOMAIN=pay.example.com',
        )
      : ok(name, 'None. A shop that takes money should have one.')
  const reached = await checkAddress(name, customDomain, isRunning)
  // Until it is saved, the shop cannot tell it from the address of the back-office.
  if (reached.status !== 'ok' || !isSaved) return reached
  const { status } = await ask(`${customDomain}${pages.login}`)
  return status === 404
    ? reached
    : fail(
        name,
        `${customDomain}${pages.login} answers ${status}: there the shop does not know by which domain it is asked.`,
        'Let the proxy pass on the Host header as it came.',
      )
}

export async function checkSumup({ payments }: Config): Promise<Check[]> {
  const name = 'SumUp'
  const { account, apiUrl, currency } = payments
  if (!account)
    return [
      warn(
        name,
        'Test mode: no money is taken.',
        'To be paid, connect SumUp in the settings of the back-office.',
        'SUMUP_API_KEY and SUMUP_MERCHANT_CODE',
      ),
    ]
  const sumup = openSumup({ apiUrl, ...account })
  const { problem, mode, currency: paidIn, country } = await checkAccount(sumup, currency)
  const found = `Account ${account.merchantCode}, ${country}, paid in ${paidIn}`
  const clock = await checkSumupClock(apiUrl)
  if (problem)
    return [
      fail(
        name,
        problem,
        'Correct it in the settings of the back-office: nobody can pay until then.',
        'SUMUP_API_KEY, SUMUP_MERCHANT_CODE or PAYMENT_CURRENCY',
      ),
      ...(clock ? [clock] : []),
    ]
  const result =
    mode === 'test'
      ? warn(
          name,
          `${found}: a sandbox account, no money moves.`,
          'Use the key of the real account.',
        )
      : ok(name, found)
  return [result, ...(clock ? [clock] : [])]
}

async function checkSumupClock(apiUrl: string): Promise<Check | undefined> {
  const before = Date.now()
  const answer = await ask(apiUrl, { method: 'HEAD' }).catch(() => undefined)
  const theirs = Date.parse(answer?.headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return undefined
  // The header has whole seconds.
  const differenceMs = findClockDifference(theirs + 500, before)
  return judgeClock('clock of SumUp', differenceMs, maxClockDifferenceMs)
}

/** Connects, says hello and signs in. No mail is sent. */
export async function checkMail({ mail, shop }: Config, isLive: boolean): Promise<Check> {
  const name = 'mail'
  if (!mail.smtpUrl) {
    const found = 'Mails are not sent but kept as files in DATA_DIR/mail.'
    const todo = 'Enter a mail server in the settings of the back-office.'
    return isLive ? warn(name, found, todo, 'SMTP_URL and MAIL_FROM') : ok(name, found)
  }
  const nodemailer = await import('nodemailer')
  const transport = nodemailer.createTransport({
    url: mail.smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  try {
    const verified = await Promise.race([
      transport.verify(),
      sleep(timeoutMs, undefined, { ref: false }),
    ])
    if (!verified)
      return fail(name, 'The mail server does not answer in time.', mailTodo, 'SMTP_URL')
    return shop.email
      ? ok(name, 'The mail server accepts us. No mail was sent.')
      : warn(
          name,
          'The mail server accepts us.',
          'Enter the email address of the shop in its settings: trouble is announced there.',
          'SHOP_EMAIL',
        )
  } catch (error) {
    const found = `The mail server does not accept us: ${explainMailError(error)}.`
    return { ...fail(name, found, mailTodo, 'SMTP_URL'), detail: describeMailError(error) }
  } finally {
    transport.close()
  }
}

const mailTodo =
  'Check the mail server in the settings of the back-office. Mails wait meanwhile, for three days.'

/** Writes, reads and deletes a small object, as the shop does with pictures, and asks as a browser of the back-office would. */
export async function checkPictureStore(config: Config): Promise<Check[]> {
  const { pictureStore, databaseUrl } = config
  if (!pictureStore)
    return [
      databaseUrl
        ? warn(
            'pictures',
            'On the disk of this machine: other nodes do not have them.',
            'For more than one node set S3_ENDPOINT and the other S3_ settings.',
          )
        : ok('pictures', 'On the disk of this machine.'),
    ]
  return [await checkRoundTrip(pictureStore), await checkCors(pictureStore, publicOrigin(config))]
}

async function checkRoundTrip(settings: S3Settings): Promise<Check> {
  const name = 'pictures'
  const where = `the bucket ${settings.bucket} at ${new URL(settings.endpoint).host}`
  const { send } = openS3Client(settings)
  const path = `/objects/doctor-${randomBytes(8).toString('hex')}`
  const content = randomBytes(32).toString('hex')
  try {
    await send(path, { method: 'PUT', body: content })
    const read = await (await send(path, { method: 'GET' })).text()
    await send(path, { method: 'DELETE' })
    return read === content
      ? ok(name, `Written to, read from and deleted in ${where}.`)
      : fail(name, `What was written to ${where} was read otherwise.`, 'Ask its operator.')
  } catch (error) {
    return fail(
      name,
      `No picture can be stored in ${where}: ${describeFault(error).slice(0, 300)}`,
      'Check the S3_ settings: the key must be allowed to write, read, list and delete in this bucket.',
    )
  }
}

async function checkCors({ endpoint, bucket }: S3Settings, origin: string): Promise<Check> {
  const name = 'uploads'
  const url = `${endpoint.replace(/\/$/, '')}/${bucket}/incoming/doctor`
  const headers = {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'content-type',
  }
  const answer = await ask(url, { method: 'OPTIONS', headers }).catch(() => undefined)
  const allowed = answer?.headers.get('access-control-allow-origin')
  const methods = answer?.headers.get('access-control-allow-methods') ?? ''
  const isAllowed = (allowed === '*' || allowed === origin) && methods.includes('PUT')
  return isAllowed
    ? ok(name, `The bucket accepts uploads from ${origin}.`)
    : fail(
        name,
        `The bucket does not accept uploads from ${origin}.`,
        `Allow it in the bucket's CORS rules: origin ${origin}, method PUT, header content-type, expose ETag.`,
      )
}
