import { settingsCheck, setup, shopSettings, sumupCheck } from '#contract/answers/settings.ts'
import { passwordProofSchema } from '#contract/admin.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import {
  addressCheckSchema,
  settingsChangeSchema,
  setupFoldingSchema,
  sumupCheckSchema,
  testMailSchema,
} from '#contract/shop-settings.ts'
import { defineOperations } from '#server/http/openapi.ts'

const provenRefusals: RefusalCode[] = ['wrong-password', 'too-many-logins']

export const settingsOperations = defineOperations('Settings', 'admin', {
  [`GET ${apiRoutes.settings}`]: {
    summary: 'Reads the settings in force.',
    answers: { 200: shopSettings },
  },
  [`PUT ${apiRoutes.settingsSection}`]: {
    summary: 'Saves one section of the settings, which is in force at once.',
    note: 'Send all fields of the section. The sections sumup, mail, address, retention and alerts need the password of the admin, and so does another contact email in the section shop; its old address is told by mail.',
    body: settingsChangeSchema.extend(passwordProofSchema.partial().shape),
    example: { version: 1, values: { vatRate: '19', vatNumber: 'DE123456789' } },
    answers: { 200: shopSettings },
    refusals: [
      'settings-missing',
      'settings-changed',
      'setting-fixed',
      'domain-in-use',
      'domains-alike',
      'address-unreachable',
      'mail-sender-missing',
      'mail-password-needed',
      'sumup-incomplete',
      'sumup-refused',
      'sumup-away',
      'sumup-currency',
      'admin-password-weak',
      'node-outdated',
      ...provenRefusals,
    ],
  },
  [`POST ${apiRoutes.testMail}`]: {
    summary: 'Sends a test mail to the logged-in admin.',
    note: 'With values of the section mail they are tried out and not saved, which needs the password; otherwise what is saved is tried.',
    body: testMailSchema.extend(passwordProofSchema.partial().shape),
    example: {},
    answers: { 200: settingsCheck },
    refusals: ['mail-sender-missing', 'mail-password-needed', 'setting-fixed', ...provenRefusals],
  },
  [`POST ${apiRoutes.addressCheck}`]: {
    summary: 'Looks whether an address leads to this shop.',
    note: 'An address that is not in force needs the password of the admin.',
    body: addressCheckSchema.extend(passwordProofSchema.partial().shape),
    example: { kind: 'publicUrl', url: 'https://shop.example.com', password: '…' },
    answers: { 200: settingsCheck },
    refusals: provenRefusals,
  },
  [`POST ${apiRoutes.sumupCheck}`]: {
    summary: 'Asks SumUp about an account.',
    note: 'Without a key the one in use is tried; without a currency, the one in use.',
    body: sumupCheckSchema,
    example: { merchantCode: 'MC0X0ABC', apiKey: 'sup_sk_…', currency: 'EUR' },
    answers: { 200: sumupCheck },
    refusals: ['sumup-incomplete'],
  },
  [`GET ${apiRoutes.setup}`]: {
    summary: 'Lists what a new shop still needs.',
    answers: { 200: setup },
  },
  [`PUT ${apiRoutes.setupFolding}`]: {
    summary: 'Hides or shows the list of what the shop needs, for the logged-in admin.',
    body: setupFoldingSchema,
    example: { isFolded: true },
    answers: { 204: null },
  },
})
