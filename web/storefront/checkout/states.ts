/** Where the state is part of an address. In Italy it is the province. */
export function hasStates(country: string): boolean {
  return country === '' || country === 'Italy' || listStates(country).length > 0
}

export type State = { code: string; name: string }

/** Empty where a state is not usual, or there is no list of them. */
export function listStates(country: string): State[] {
  return Object.hasOwn(states, country) ? (states[country] ?? []) : []
}

const states: Record<string, State[]> = {
  Canada: parseStates(
    'AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,SK Saskatchewan,YT Yukon',
  ),
  'United States': parseStates(
    'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,PR Puerto Rico,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming,AA Armed Forces Americas,AE Armed Forces Europe,AP Armed Forces Pacific',
  ),
}

function parseStates(list: string): State[] {
  return list.split(',').map((state) => ({ code: state.slice(0, 2), name: state.slice(3) }))
}
