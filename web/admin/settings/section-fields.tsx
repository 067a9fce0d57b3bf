import { type ReactNode, useRef } from 'react'

import { apiRoutes } from '#contract/paths.ts'
import {
  type AlertKind,
  alertKinds,
  alertLabels,
  type AllSettings,
  type SettingsSection,
} from '#contract/shop-settings.ts'
import { withdrawalScopes, type WithdrawalScope } from '#contract/withdrawals.ts'
import { useAdmin } from '#web/admin/session/session.ts'
import { PictureField } from '#web/admin/uploads/picture-field.tsx'
import { usePictureUpload } from '#web/admin/uploads/picture-upload.ts'
import { Button } from '#web/ui/button.tsx'
import {
  CheckboxField,
  PasswordField,
  SelectField,
  TextAreaField,
  TextField,
} from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'

import { bind, bindNumber, Check, type FieldsProps } from './field-parts.tsx'
import { DeliveryFields } from './delivery-fields.tsx'
import { LanguageFields } from './language-fields.tsx'
import { LinkFields } from './link-fields.tsx'
import { MethodFields } from './method-fields.tsx'
import { draftPolicy, type PolicyName } from './policy-texts.ts'
import { SumupFields } from './sumup-fields.tsx'
import { TextFields } from './text-fields.tsx'
import { useSettingsCheck } from './use-settings.ts'

const fieldsOf: Record<SettingsSection, (props: FieldsProps) => ReactNode> = {
  shop: ShopFields,
  sumup: SumupFields,
  methods: MethodFields,
  tax: TaxFields,
  policies: PolicyFields,
  delivery: DeliveryFields,
  mail: MailFields,
  texts: TextFields,
  links: LinkFields,
  language: LanguageFields,
  address: AddressFields,
  retention: RetentionFields,
  alerts: AlertFields,
}

export function SectionFields({ section, form }: FieldsProps & { section: SettingsSection }) {
  const Fields = fieldsOf[section]
  return <Fields form={form} />
}

const timeZonesId = 'time-zones'

function ShopFields({ form }: FieldsProps) {
  const input = useRef<HTMLInputElement>(null)
  const upload = usePictureUpload('logo', (url) => form.set('logoUrl', url))
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Shop name"
          autoComplete="organization"
          {...bind(form, 'name', 'In mails, policies and on the checkout.')}
        />
        <TextField
          label="Contact email"
          type="email"
          autoComplete="email"
          {...bind(form, 'email', 'Where buyers reach you.')}
        />
      </div>
      <TextAreaField
        label="Postal address"
        {...bind(form, 'postalAddress', 'On receipts and in the imprint, line by line.')}
      />
      <TextAreaField
        label="Imprint"
        {...bind(form, 'imprint', 'What else the law asks you to say: owner, register, authority.')}
      />
      <TextField
        label="Time zone"
        list={timeZonesId}
        {...bind(form, 'timeZone', 'Days in Analytics begin at its midnight. Empty: the server’s.')}
      />
      <datalist id={timeZonesId}>
        {Intl.supportedValuesOf('timeZone').map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <PictureField
        label="Logo for new products"
        value={form.textOf('logoUrl')}
        error={form.errorOf('logoUrl')}
        upload={upload}
        onRemove={() => form.set('logoUrl', '')}
        ref={input}
      />
    </>
  )
}

function TaxFields({ form }: FieldsProps) {
  return (
    <>
      <p className="text-sm/6 text-soft">
        Your prices stay as they are. With a rate, receipts, mails and the thank-you page say how
        much VAT the price includes. Earlier orders keep the rate of their day.
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="VAT rate in percent"
          inputMode="decimal"
          placeholder="19"
          {...bind(form, 'vatRate', 'Empty: no VAT line.')}
        />
        <TextField label="VAT number" placeholder="DE123456789" {...bind(form, 'vatNumber')} />
      </div>
    </>
  )
}

const policyLabels: Record<PolicyName, string> = {
  refund: 'Refund policy',
  shipping: 'Shipping policy',
  privacy: 'Privacy policy',
  terms: 'Terms of service',
  withdrawal: 'Right of withdrawal',
}

const scopeLabels: Record<WithdrawalScope, string> = {
  eu: 'Buyers in the EU',
  everyone: 'All buyers, as for a shop in the EU',
  nobody: 'Nobody',
}

function PolicyFields({ form }: FieldsProps) {
  const { values } = form.settings
  const scope = bind(form, 'withdrawalFor')
  return (
    <>
      <p className="text-sm/6 text-soft">
        Each is a text, or the address of a page of yours (https://…). Without one, a short text of
        ours is shown. Our drafts are a start and no legal advice: read them, fill in what is in
        brackets, and have them checked.
      </p>
      {Object.entries(policyLabels).map(([name, label]) => {
        const policy = name as PolicyName
        const field = bind(form, policy)
        return (
          <div key={policy}>
            <TextAreaField label={label} {...field} />
            {field.value === '' && !field.readOnly && (
              <Button
                className="mt-2"
                onClick={() => form.set(policy, draftPolicy(policy, values))}
              >
                Start with our draft
                <span className="sr-only">({label})</span>
              </Button>
            )}
          </div>
        )
      })}
      <SelectField
        label="Who can withdraw"
        name={scope.name}
        hint="They are told so before they pay and in the confirmation, and can do it online. Empty text above: the model text of the law. A product can be exempt."
        value={scope.value}
        onChange={scope.onChange}
      >
        {withdrawalScopes.map((one) => (
          <option key={one} value={one}>
            {scopeLabels[one]}
          </option>
        ))}
      </SelectField>
    </>
  )
}

function MailFields({ form }: FieldsProps) {
  const secret = form.settings.secrets.mail
  const { admin } = useAdmin()
  const test = useSettingsCheck(apiRoutes.testMail, form)
  const security = bind(form, 'smtpSecurity')
  return (
    <>
      <TextField
        label="Sender"
        placeholder="My Shop <shop@example.com>"
        {...bind(form, 'from', 'Empty: name and email address of the shop.')}
      />
      <div className="grid gap-5 sm:grid-cols-[2fr_1fr]">
        <TextField
          label="Mail server"
          placeholder="mail.example.com"
          autoCapitalize="off"
          spellCheck={false}
          {...bind(form, 'smtpHost', 'Empty: mails are kept as files and not sent.')}
        />
        <TextField label="Port" placeholder="465" {...bindNumber(form, 'smtpPort')} />
      </div>
      <SelectField
        label="Encryption"
        name={security.name}
        hint={security.hint}
        value={security.value || 'tls'}
        disabled={security.readOnly}
        onChange={security.onChange}
      >
        <option value="tls">TLS, usually port 465</option>
        <option value="starttls">STARTTLS, usually port 587</option>
        <option value="none">None, only inside your own network</option>
      </SelectField>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="User name" autoComplete="off" {...bind(form, 'smtpUser')} />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          {...bind(
            form,
            'smtpPassword',
            secret === 'saved'
              ? 'One is saved and never shown. Type another to replace it.'
              : 'Saved encrypted, never shown again.',
          )}
        />
      </div>
      {secret === 'unreadable' && (
        <Notice look="warning">
          The saved password cannot be read, because the session secret of the shop has changed.
          Please enter it again.
        </Notice>
      )}
      <Check
        label={`Send a test mail to ${admin?.email ?? 'me'}`}
        pendingLabel="Sending..."
        blockedBy={undefined}
        check={test}
        onRun={() => {
          if (!form.validate()) return
          test.mutate(form.isDirty ? { values: form.values, ...form.proof } : {})
        }}
      />
    </>
  )
}

function AddressFields({ form }: FieldsProps) {
  return (
    <>
      <AddressField
        form={form}
        kind="publicUrl"
        label="Public address"
        placeholder="https://shop.example.com"
        hint="Where people reach the shop. Links in mails begin with it, and SumUp announces payments there. Change it while nobody is paying: buyers who are on the old address lose sight of their order until the mail arrives."
      />
      <AddressField
        form={form}
        kind="customDomain"
        label="Domain for payment pages"
        placeholder="https://pay.example.com"
        hint="A second domain that leads to the same shop. Payment pages move there, so that a changed script of SumUp could never act in your name."
      />
    </>
  )
}

type AddressFieldProps = FieldsProps & {
  kind: 'publicUrl' | 'customDomain'
  label: string
  placeholder: string
  hint: string
}

function AddressField({ form, kind, label, placeholder, hint }: AddressFieldProps) {
  const check = useSettingsCheck(apiRoutes.addressCheck, form)
  const field = bind(form, kind, hint)
  return (
    <div>
      <TextField
        label={label}
        placeholder={placeholder}
        inputMode="url"
        autoCapitalize="off"
        spellCheck={false}
        {...field}
      />
      <Check
        label="Check whether it leads here"
        context={label}
        pendingLabel="Checking..."
        blockedBy={field.value === '' ? 'Enter an address first.' : undefined}
        check={check}
        onRun={() => {
          if (form.validate()) check.mutate({ kind, url: field.value, ...form.proof })
        }}
      />
    </div>
  )
}

const retentionFields: [field: keyof AllSettings['retention'], label: string, hint: string][] = [
  ['unpaid', 'People who did not buy', 'Their contact and address.'],
  ['soldDetails', 'Copies of what buyers typed', 'Made at payment. The order keeps the original.'],
  ['visitors', 'Visitors', 'Shortened address, town and browser.'],
  ['events', 'Every single view and sale', 'For analytics. The totals of each day stay.'],
  ['mails', 'Records of mails', 'And mails kept as files.'],
  [
    'reviews',
    'Payments resolved in review',
    'What the buyer typed, and your notes. Also withdrawals that fit no order.',
  ],
  ['audit', 'Log of what admins did', 'And of failed logins.'],
]

function RetentionFields({ form }: FieldsProps) {
  return (
    <>
      <p className="text-sm/6 text-soft">
        How many days personal data is kept. Orders stay. What is older is deleted within minutes
        and cannot be brought back.
      </p>
      <fieldset className="grid gap-5 sm:grid-cols-2">
        <legend className="sr-only">Days</legend>
        {retentionFields.map(([field, label, hint]) => (
          <TextField
            key={field}
            label={label}
            inside={
              <span
                aria-hidden
                className="pointer-events-none absolute inset-y-0 end-3 grid place-items-center text-sm text-muted"
              >
                days
              </span>
            }
            {...bindNumber(form, field, hint)}
          />
        ))}
      </fieldset>
    </>
  )
}

function AlertFields({ form }: FieldsProps) {
  const muted = form.values.muted as AlertKind[]
  const saved = form.settings.values.alerts.muted
  function setMuted(kind: AlertKind, isMuted: boolean) {
    const next = alertKinds.filter((one) => (one === kind ? isMuted : muted.includes(one)))
    // The saved list itself where both are alike, so that nothing counts as changed.
    form.set('muted', next.join() === saved.join() ? saved : next)
  }
  return (
    <>
      <TextField
        label="Send them to"
        type="email"
        {...bind(form, 'alertEmail', 'Empty: the contact email of the shop.')}
      />
      <CheckboxField
        label="Tell me about every sale"
        checked={form.values.announcesSales === true}
        onChange={({ target }) => form.set('announcesSales', target.checked)}
      />
      <fieldset className="space-y-3">
        <legend className="mb-3 text-sm font-semibold">
          Trouble, each kind at most once an hour
        </legend>
        {alertKinds.map((kind) => (
          <CheckboxField
            key={kind}
            label={alertLabels[kind]}
            checked={!muted.includes(kind)}
            onChange={({ target }) => setMuted(kind, !target.checked)}
          />
        ))}
      </fieldset>
    </>
  )
}
