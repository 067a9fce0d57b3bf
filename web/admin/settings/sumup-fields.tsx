import { CircleCheck, TriangleAlert } from 'lucide-react'

import { currencies } from '#contract/currencies.ts'
import { apiRoutes } from '#contract/paths.ts'
import type { SettingsCheck, SumupCheck } from '#contract/shop-settings.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PasswordField, SelectField, TextField } from '#web/ui/fields.tsx'
import { Notice } from '#web/ui/notice.tsx'

import { bind, bindNumber, Check, type FieldsProps, resultColors } from './field-parts.tsx'
import { type SectionForm, useSettingsCheck } from './use-settings.ts'

/** The owner is about to go back to test mode. */
export function isDisconnecting(form: SectionForm): boolean {
  const isSumup = 'merchantCode' in form.values
  return isSumup && hasOwnAccount(form) && form.textOf('merchantCode') === ''
}

/** Whether an account was saved here, rather than set in the environment. */
function hasOwnAccount({ settings, fixedBy }: SectionForm): boolean {
  return settings.values.sumup.merchantCode !== null && !fixedBy('merchantCode')
}

export function SumupFields({ form }: FieldsProps) {
  const check = useSettingsCheck(apiRoutes.sumupCheck, form)
  const { secrets, values } = form.settings
  const code = bind(form, 'merchantCode', 'In your SumUp profile, for example MH4H92C7.')
  const key = bind(
    form,
    'apiKey',
    secrets.sumup === 'saved'
      ? 'One is saved and never shown. Enter another to replace it.'
      : 'A secret key that may take payments. Saved encrypted, never shown again.',
  )
  const currency = bind(form, 'currency', 'SumUp pays an account in one currency only.')
  const found: SumupCheck | undefined = check.data
  const proposed = check.isPending || currency.readOnly ? undefined : found?.currency
  const hasKey = key.value !== '' || values.sumup.merchantCode !== null
  return (
    <>
      <p className="text-sm/6 text-soft">
        SumUp takes the cards and pays you. Create a secret API key in SumUp’s dashboard under
        Settings, For developers, and enter it here with the code of your account. Nothing needs a
        restart; pages that are open right now are asked to load again.
      </p>
      <InUse {...form.account} />
      <div className="grid gap-5 sm:grid-cols-[1fr_2fr]">
        <TextField
          label="Merchant code"
          placeholder="MH4H92C7"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          {...code}
        />
        <PasswordField
          label="API key"
          secret="API key"
          placeholder={secrets.sumup === 'saved' ? '••••••••' : 'sup_sk_…'}
          autoComplete="off"
          spellCheck={false}
          {...key}
        />
      </div>
      <SelectField
        label="Buyers are charged in"
        name={currency.name}
        hint={currency.hint}
        error={currency.error}
        value={currency.value}
        disabled={currency.readOnly}
        onChange={currency.onChange}
      >
        {currencies.map(({ code: one, name }) => (
          <option key={one} value={one}>
            {one}, {name}
          </option>
        ))}
        <option value="product">The currency of each product</option>
      </SelectField>
      <TextField
        label="Refunds that need the password"
        {...bindNumber(
          form,
          'refundPasswordAbove',
          'Above this amount in an hour, in each currency, an admin enters the password. 0: always.',
        )}
      />
      {secrets.sumup === 'unreadable' && (
        <Notice look="danger">
          The saved account cannot be read, because the session secret of the shop has changed or
          another version of Till saved it. Nobody can pay until you enter code and key again.
        </Notice>
      )}
      {isDisconnecting(form) ? (
        <Notice look="danger">
          <h3 className="font-semibold">Disconnect your SumUp account?</h3>
          <p className="mt-1">
            The shop goes back to test mode: buyers can no longer pay with money. A payment that is
            under way right now is put under Payments to review, where you decide about it. Orders
            stay.
          </p>
          <Button
            className="mt-3"
            onClick={() => form.set('merchantCode', values.sumup.merchantCode)}
          >
            Keep the account
          </Button>
        </Notice>
      ) : (
        <div>
          <Check
            label="Check with SumUp"
            pendingLabel="Asking SumUp..."
            blockedBy={code.value === '' || !hasKey ? 'Enter code and key first.' : undefined}
            check={check}
            onRun={() =>
              check.mutate({
                merchantCode: code.value,
                currency: currency.value,
                ...(key.value && { apiKey: key.value }),
              })
            }
          />
          {proposed && proposed !== currency.value && (
            <Button className="mt-2" onClick={() => form.set('currency', proposed)}>
              Charge in {proposed}
            </Button>
          )}
        </div>
      )}
      {hasOwnAccount(form) && !isDisconnecting(form) && (
        <Button onClick={() => form.set('merchantCode', '')}>Disconnect…</Button>
      )}
    </>
  )
}

/** The account that takes payments right now. */
function InUse({ status, found, todo }: SettingsCheck) {
  const Icon = status === 'ok' ? CircleCheck : TriangleAlert
  return (
    <p className="flex gap-2.5 rounded-lg border border-line bg-well px-3.5 py-3 text-sm/5">
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', resultColors[status])} />
      <span className="min-w-0 wrap-anywhere">
        <strong className="font-semibold">In use now:</strong> {found} {todo}
      </span>
    </p>
  )
}
