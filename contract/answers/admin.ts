import { z } from 'zod'
import { auditActions } from '#contract/audit.ts'
import { newsKinds } from '#contract/news.ts'
import { count, id, time } from './fields.ts'
import { settingsSections } from '#contract/shop-settings.ts'

export const adminUser = z
  .object({ id, email: z.string(), username: z.string() })
  .meta({ id: 'AdminUser', description: 'The logged-in admin.' })

export const secondFactorOffer = z
  .object({ secret: z.string(), uri: z.string().describe('The same for a QR code: otpauth://…') })
  .meta({
    id: 'SecondFactorOffer',
    description: 'For the authenticator app. The secret is shown until a first code confirmed it.',
  })

export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) }).meta({
  id: 'RecoveryCodes',
  description:
    'Each works once. They are shown when the second factor is switched on, and never again.',
})

export const ownAccount = adminUser
  .extend({ hasSecondFactor: z.boolean(), recoveryCodesLeft: count })
  .meta({ id: 'OwnAccount', description: 'What an admin may know about the own account.' })

export const adminSession = z
  .object({
    id: z.string().describe('Not the one in the cookie'),
    createdAt: time,
    lastSeenAt: time,
    address: z.string().nullable().describe('Truncated, such as 203.0.113.0'),
    browser: z.string().nullable(),
    isCurrent: z.boolean(),
  })
  .meta({ id: 'AdminSession', description: 'A browser in which the admin is logged in.' })

export const adminAccount = adminUser
  .extend({ createdAt: time, isDisabled: z.boolean(), hasSecondFactor: z.boolean() })
  .meta({ id: 'AdminAccount', description: 'An admin as other admins see it.' })

export const invite = z
  .object({ id, email: z.string(), expiresAt: time })
  .meta({ id: 'Invite', description: 'Somebody who may become an admin.' })

export const newInvite = invite
  .extend({ link: z.string().describe('For the invited person. It is shown this once') })
  .meta({ id: 'NewInvite', description: 'An invitation with its link.' })

export const settingsPlace = z.enum([
  'account',
  'security',
  'people',
  'log',
  'news',
  ...settingsSections,
])

export const notice = z
  .object({
    id: z.string().describe('Another one when the notice says something else'),
    kind: z.enum([
      'test-mode',
      'payments',
      'custom-domain',
      'proxy',
      'card-form',
      'mail',
      'cards',
      'geo-locations',
      'passwords',
      'backup',
      'seller',
      'settings',
      'restored',
    ]),
    title: z.string().describe('One short sentence: all that is shown of a folded notice'),
    text: z.string().describe('What it means and what to do, without names of settings'),
    howTo: z
      .string()
      .exactOptional()
      .describe(
        'In small print, for what can only be put right on the server: the setting or the command',
      ),
    place: settingsPlace
      .exactOptional()
      .describe('Where in the back-office it can be put right: the value of `?settings=`'),
    isFolded: z.boolean().describe('By the logged-in admin, in any browser'),
    isUrgent: z
      .boolean()
      .describe('Money, customers or the shop are in danger: shown until the person hides it'),
    since: z
      .string()
      .exactOptional()
      .describe('Stays until the owner says that they have read it: since when'),
    action: z
      .literal('sell-counted')
      .exactOptional()
      .describe(
        'What the owner can decide at once: `POST /api/admin/notices/restored/sell-counted`',
      ),
  })
  .meta({
    id: 'Notice',
    description: 'Something about the shop’s set-up that its owner should know.',
  })

const milliseconds = z.int().min(0).describe('Since 1970, by the clock of the database')

export const news = z
  .object({
    until: milliseconds.describe('The `since` of the next question'),
    events: z.array(
      z.object({
        key: z.string().describe('The same event has the same key in every answer'),
        kind: z.enum(newsKinds),
        id: z
          .string()
          .describe('Of the order, the withdrawal, the payment in review or the product'),
        at: milliseconds,
      }),
    ),
  })
  .meta({
    id: 'News',
    description: 'What happened in the shop. Of each kind at most the newest 500.',
  })

export const auditEntry = z
  .object({
    id: z.string(),
    at: time,
    adminId: id.nullable().describe('Null for strangers and for what was done on the server'),
    adminName: z.string().nullable().describe('The one of that time'),
    action: z
      .enum([...auditActions, 'unknown'])
      .describe('unknown: one of another version of Till'),
    subject: z.string().nullable(),
    detail: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Small facts, such as the price before and after'),
    address: z.string().nullable().describe('Truncated, such as 203.0.113.0'),
    count: count.describe('Of merged entries: how many. Of a bulk change: its orders'),
    lastAt: time.describe('Of merged entries: when the last one was'),
  })
  .meta({ id: 'AuditEntry', description: 'Who did what.' })

export const auditPage = z
  .object({
    entries: z.array(auditEntry),
    next: z.string().nullable().describe('The cursor of the next page, or null on the last'),
  })
  .meta({ id: 'AuditPage', description: 'Entries of the audit log, newest first.' })
