import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Signature Version 4, checked from AWS's description and not with the library that signs, since
 * s3rver believes any signature. Answers whether the request was signed with the secret.
 */
export function isSigned({ method = '', url = '', headers }: IncomingMessage, secret: string) {
  const { pathname, searchParams } = new URL(url, 'http://store')
  const signed = maybeHeader(headers.authorization) ?? maybeQuery(searchParams)
  if (!signed) return false
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map((pair) => pair.map(encode).join('='))
    .toSorted()
    .join('&')
  const names = signed.headers.split(';')
  const canonical = [
    method,
    pathname,
    query,
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed.headers,
    headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD',
  ].join('\n')
  const [, ...scope] = signed.credential.split('/')
  const date = String(headers['x-amz-date'] ?? searchParams.get('X-Amz-Date'))
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), digest].join('\n')
  const key = scope.reduce<string | Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    `AWS4${secret}`,
  )
  return createHmac('sha256', key).update(text).digest('hex') === signed.signature
}

function maybeHeader(authorization = '') {
  const [, credential, headers, signature] =
    /^AWS4-HMAC-SHA256 Credential=(.+), SignedHeaders=(.+), Signature=(\w+)$/.exec(authorization) ??
    []
  return credential && headers && signature ? { credential, headers, signature } : undefined
}

function maybeQuery(query: URLSearchParams) {
  const [credential, headers, signature] = ['Credential', 'SignedHeaders', 'Signature'].map(
    (name) => query.get(`X-Amz-${name}`),
  )
  return credential && headers && signature ? { credential, headers, signature } : undefined
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
