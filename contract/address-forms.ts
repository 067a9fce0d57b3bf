import type { Country } from './countries.ts'
import { type CountryCode, countryCodes, findCountry, listCodes } from './world-countries.ts'

/*
 * How addresses are asked for, country by country (contract/addresses.ts: how they are written). Facts from the Universal
 * Postal Union's guide to addressing and from the posts themselves. Not for the script of the checkout: a page is told
 * the forms of the shop's countries (pickAddressForms).
 */

/** What a country calls its states. */
type StateName = 'state' | 'province' | 'prefecture' | 'county' | 'region' | 'emirate'

/** What differs from an address with a postcode and without a state. */
export type AddressForm = {
  /** `none`: the country has no postcodes. `optional`: it has them, and many do without. Absent: every address has one. */
  postcode?: 'optional' | 'none'
  /** English calls it ZIP code everywhere else. */
  isCalledPostcode?: true
  /** Absent: the state is no part of an address. */
  state?: StateName
  /** Without it, mail is not delivered. */
  isStateRequired?: true
  /** The states where there is a list of them, as 'AB Alberta,BC British Columbia', or only their names. */
  states?: string
}

const withoutPostcode = listCodes(
  'AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK JM KI KM KN KP ML MO MR MW NR NU QA RW SB SC SL SR SS ST SX SY TD TG TK TL TO TV UG VU WS YE ZW',
)

/** Where every address has one. In countries that are in no list it is optional: a buyer is not stopped for want of it. */
const withPostcode = listCodes(
  'AD AS AT AU AX BE BG BL BR BY CA CH CN CY CZ DE DK EE ES FI FO FR GB GF GG GI GL GP GR GU HR HU IL IM IN IS IT JE JP KR LI LT LU LV MC ME MF MK MP MQ MT MX MY NC NL NO NZ PF PL PM PR PT RE RO RS RU SE SG SI SJ SK SM TH TR TW UA US VA VI WF YT ZA',
)

const calledPostcode = listCodes('AU FK GB GG GI IE IM JE NZ')

type States = Pick<AddressForm, 'state' | 'isStateRequired' | 'states'>

/** The specification asks for it in each of its eight countries. */
const optionalState: States = { state: 'state' }

const states: Partial<Record<CountryCode, States>> = {
  AE: {
    state: 'emirate',
    isStateRequired: true,
    states: 'Abu Dhabi,Ajman,Dubai,Fujairah,Ras Al Khaimah,Sharjah,Umm Al Quwain',
  },
  AR: { state: 'province' },
  AU: {
    state: 'state',
    isStateRequired: true,
    states:
      'ACT Australian Capital Territory,NSW New South Wales,NT Northern Territory,QLD Queensland,SA South Australia,TAS Tasmania,VIC Victoria,WA Western Australia',
  },
  BE: optionalState,
  BR: {
    state: 'state',
    isStateRequired: true,
    states:
      'AC Acre,AL Alagoas,AP Amapá,AM Amazonas,BA Bahia,CE Ceará,DF Distrito Federal,ES Espírito Santo,GO Goiás,MA Maranhão,MT Mato Grosso,MS Mato Grosso do Sul,MG Minas Gerais,PA Pará,PB Paraíba,PR Paraná,PE Pernambuco,PI Piauí,RJ Rio de Janeiro,RN Rio Grande do Norte,RS Rio Grande do Sul,RO Rondônia,RR Roraima,SC Santa Catarina,SP São Paulo,SE Sergipe,TO Tocantins',
  },
  CA: {
    state: 'state',
    states:
      'AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,SK Saskatchewan,YT Yukon',
  },
  CL: { state: 'region' },
  CN: { state: 'province', isStateRequired: true },
  CO: { state: 'region' },
  DE: optionalState,
  EG: { state: 'region' },
  ES: { state: 'province' },
  FR: optionalState,
  GB: optionalState,
  HK: { state: 'region', states: 'Hong Kong Island,Kowloon,New Territories' },
  ID: { state: 'province' },
  IE: { state: 'county' },
  IN: { state: 'state', isStateRequired: true },
  IT: optionalState,
  JP: {
    state: 'prefecture',
    isStateRequired: true,
    states:
      'Aichi,Akita,Aomori,Chiba,Ehime,Fukui,Fukuoka,Fukushima,Gifu,Gunma,Hiroshima,Hokkaido,Hyogo,Ibaraki,Ishikawa,Iwate,Kagawa,Kagoshima,Kanagawa,Kochi,Kumamoto,Kyoto,Mie,Miyagi,Miyazaki,Nagano,Nagasaki,Nara,Niigata,Oita,Okayama,Okinawa,Osaka,Saga,Saitama,Shiga,Shimane,Shizuoka,Tochigi,Tokushima,Tokyo,Tottori,Toyama,Wakayama,Yamagata,Yamaguchi,Yamanashi',
  },
  KR: { state: 'province' },
  MX: { state: 'state', isStateRequired: true },
  MY: { state: 'state' },
  NG: { state: 'state' },
  NL: optionalState,
  PE: { state: 'region' },
  PH: { state: 'province' },
  RO: { state: 'county' },
  RU: { state: 'region' },
  TH: { state: 'province' },
  TR: { state: 'province' },
  TW: { state: 'county' },
  UA: { state: 'region' },
  US: {
    state: 'state',
    states:
      'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,PR Puerto Rico,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming,AA Armed Forces Americas,AE Armed Forces Europe,AP Armed Forces Pacific',
  },
  VE: { state: 'state' },
  VN: { state: 'province' },
}

/** An address of a country that nobody knows is asked for like most. */
export function findAddressForm(country: string): AddressForm {
  const known = findCountry(country)
  if (!known) return {}
  const code = countryCodes[known]
  const isOptional = !withPostcode.has(code)
  return {
    ...(withoutPostcode.has(code)
      ? { postcode: 'none' as const }
      : isOptional && { postcode: 'optional' as const }),
    ...(calledPostcode.has(code) && { isCalledPostcode: true as const }),
    ...states[code],
  }
}

/** What a page needs to know to ask for addresses of these countries. */
export function pickAddressForms(countries: readonly Country[]): Record<string, AddressForm> {
  const forms = countries.map((country) => [country, findAddressForm(country)] as const)
  return Object.fromEntries(forms.filter(([, form]) => Object.keys(form).length > 0))
}
