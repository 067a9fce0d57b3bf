import type { Country } from '#contract/countries.ts'

type PostcodeRule = { pattern: RegExp; example: string; hasLetters: boolean }

const rules: Record<Country, PostcodeRule> = {
  Belgium: { pattern: /^\d{4}$/, example: '1000', hasLetters: false },
  Canada: { pattern: /^[a-z]\d[a-z] ?\d[a-z]\d$/i, example: 'K1A 0B1', hasLetters: true },
  France: { pattern: /^\d{5}$/, example: '75001', hasLetters: false },
  Germany: { pattern: /^\d{5}$/, example: '10115', hasLetters: false },
  Italy: { pattern: /^\d{5}$/, example: '00118', hasLetters: false },
  Netherlands: { pattern: /^\d{4} ?[a-z]{2}$/i, example: '1012 AB', hasLetters: true },
  'United Kingdom': {
    pattern: /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i,
    example: 'SW1A 1AA',
    hasLetters: true,
  },
  'United States': { pattern: /^\d{5}(-\d{4})?$/, example: '10001', hasLetters: false },
}

export function postcodeLabel(country: string): 'Postcode' | 'ZIP code' {
  return country === 'United Kingdom' ? 'Postcode' : 'ZIP code'
}

/** Which keyboard a phone shows: digits where a postcode is digits, capitals where it has letters. */
export function postcodeKeyboard(country: string) {
  const rule = maybeRule(country)
  if (!rule) return { inputMode: 'text', autoCapitalize: 'characters' } as const
  return rule.hasLetters
    ? ({ inputMode: 'text', autoCapitalize: 'characters' } as const)
    : ({ inputMode: 'numeric', autoCapitalize: 'off' } as const)
}

/** A doubt, never a refusal: the carrier knows more postcodes than we do. */
export function postcodeDoubt(country: string, postcode: string): string | undefined {
  const rule = maybeRule(country)
  const text = postcode.trim()
  if (!rule || text === '' || rule.pattern.test(text)) return undefined
  return `Please check this: in ${country} it usually looks like ${rule.example}.`
}

function maybeRule(country: string): PostcodeRule | undefined {
  return Object.hasOwn(rules, country) ? rules[country as Country] : undefined
}
