import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#server/testing/temporary-folder.ts'
import { readConfig } from './config.ts'
import { exampleOf, variableNames, variables } from './environment-variables.ts'

function faultsOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

test('a shop needs no configuration at all', () => {
  const config = readConfig({})
  assert.equal(config.port, 3000)
  assert.equal(config.host, 'localhost')
  assert.equal(config.payments.account, undefined)
  assert.equal(config.payments.currency, 'EUR')
})

test('all faults are reported at once, with name, value, rule and example', () => {
  const faults = faultsOf({
    PORT: '80a',
    PUBLIC_URL: 'shop',
    TRUST_PROXY: 'everyone',
    LOG_LEVEL: 'loud',
  })
  assert.match(faults, /PORT: got "80a", expected a whole number 1-65535, for example PORT=3000/)
  for (const name of ['PUBLIC_URL', 'TRUST_PROXY', 'LOG_LEVEL'])
    assert.match(faults, new RegExp(`${name}: got`))
})

test('each example is valid', () => {
  for (const name of variableNames) {
    if (exampleOf(name).includes('…')) continue
    assert.equal(variables[name].schema.safeParse(exampleOf(name)).success, true, name)
  }
})

test('a secret is never printed, not even when it is wrong', () => {
  const secrets = {
    SUMUP_API_KEY: 'sup_pk_verysecret',
    DATABASE_URL: 'mysql://u:verysecret@h/d',
    ADMIN_PASSWORD: 'secret!',
  }
  const faults = faultsOf(secrets)
  for (const name of Object.keys(secrets)) assert.match(faults, new RegExp(name))
  assert.doesNotMatch(faults, /verysecret|secret!/)
})

test('a secret can come from a file', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'password')
  writeFileSync(file, 'out of a file\n')
  assert.equal(readConfig({ ADMIN_PASSWORD_FILE: file }).firstAdmin.password, 'out of a file')
  assert.match(
    faultsOf({ ADMIN_PASSWORD_FILE: file, ADMIN_PASSWORD: 'given as well' }),
    /given twice/,
  )
  assert.match(faultsOf({ ADMIN_PASSWORD_FILE: join(folder, 'none') }), /cannot read the file/)
})

test('an incomplete payment account stops the start instead of looking like test mode', () => {
  assert.match(faultsOf({ SUMUP_API_KEY: 'sup_sk_1234567890' }), /also needs SUMUP_MERCHANT_CODE/)
  assert.match(faultsOf({ SUMUP_MERCHANT_CODE: 'MH4H92C7' }), /also needs SUMUP_API_KEY/)
  assert.match(faultsOf({ SUMUP_APIKEY: 'sup_sk_1234567890' }), /did you mean SUMUP_API_KEY/)
  const both = { SUMUP_API_KEY: 'sup_sk_1234567890', SUMUP_MERCHANT_CODE: 'MH4H92C7' }
  assert.equal(readConfig(both).payments.account?.merchantCode, 'MH4H92C7')
})

test('an incomplete picture store is reported', () => {
  assert.match(faultsOf({ S3_BUCKET: 'my-shop' }), /also needs S3_ENDPOINT/)
})

test('a misspelt setting gets a hint, and an unrelated name does not', () => {
  assert.deepEqual(readConfig({ HOSTS: 'x', EDITOR: 'vi', AWS_ACCESS_KEY_ID: 'x' }).hints, [])
  for (const [wrong, right] of [
    ['ADMIN_PASWORD', 'ADMIN_PASSWORD'],
    ['PUBLIC_ULR', 'PUBLIC_URL'],
    ['DataDir', 'DATA_DIR'],
  ] as const)
    assert.deepEqual(readConfig({ [wrong]: 'x' }).hints, [
      `${wrong} is not a setting of Till and was ignored; did you mean ${right}?`,
    ])
})

test('a custom domain may be a domain or a URL, without a path', () => {
  for (const CUSTOM_DOMAIN of ['pay.example.com', 'https://Pay.Example.com/']) {
    assert.equal(readConfig({ CUSTOM_DOMAIN }).customDomain, 'https://pay.example.com')
  }
  for (const CUSTOM_DOMAIN of [
    'pay.example.com/shop',
    'https://me@pay.example.com',
    'javascript:alert(1)',
  ]) {
    assert.match(faultsOf({ CUSTOM_DOMAIN }), /CUSTOM_DOMAIN/)
  }
})

test('a custom domain on the host of the back-office stops the start, instead of locking the owner out', () => {
  const CUSTOM_DOMAIN = 'shop.example.com'
  for (const PUBLIC_URL of [
    'https://shop.example.com',
    'http://shop.example.com',
    'https://Shop.example.com:8443',
  ])
    assert.match(faultsOf({ PUBLIC_URL, CUSTOM_DOMAIN }), /CUSTOM_DOMAIN: is the same host/)
  assert.ok(readConfig({ PUBLIC_URL: 'https://example.com', CUSTOM_DOMAIN }).customDomain)
})

test('.env.example names every setting', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '.env.example'), 'utf8')
  for (const name of variableNames) assert.match(text, new RegExp(`^#${name}=`, 'm'))
})
