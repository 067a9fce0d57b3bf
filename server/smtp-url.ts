import type { AllSettings } from '#contract/shop-settings.ts'

/** A mail server as the owner enters it, and as SMTP_URL names it. */

type MailServer = Omit<AllSettings['mail'], 'from'>

const defaultPorts = { tls: 465, starttls: 587, none: 25 }

/** Nodemailer reads the encryption from the address: with STARTTLS it is required, never skipped. */
export function formatSmtpUrl(server: MailServer): string | undefined {
  const { smtpHost, smtpPort, smtpUser, smtpPassword } = server
  const security = server.smtpSecurity ?? 'tls'
  if (!smtpHost) return undefined
  const sign = [smtpUser, smtpPassword].map((text) => encodeURIComponent(text ?? '')).join(':')
  const host = smtpHost.includes(':') ? `[${smtpHost}]` : smtpHost
  const place = `${smtpUser ? `${sign}@` : ''}${host}:${smtpPort ?? defaultPorts[security]}`
  switch (security) {
    case 'tls':
      return `smtps://${place}`
    case 'starttls':
      return `smtp://${place}?requireTLS=true`
    case 'none':
      return `smtp://${place}?ignoreTLS=true`
  }
}

/** Never the password. */
export function parseSmtpUrl(text: string): MailServer {
  const { protocol, hostname, port, username } = new URL(text)
  return {
    smtpHost: hostname.replace(/^\[(.*)\]$/, '$1'),
    smtpPort: port ? Number(port) : null,
    smtpSecurity: protocol === 'smtps:' ? 'tls' : 'starttls',
    smtpUser: username ? decodeURIComponent(username) : null,
    smtpPassword: null,
  }
}
