import type { MailTexts } from './texts.ts'

export const nl: MailTexts = {
  subjectOfShop: '{subject}: {shop}',
  next: 'Hoe het verdergaat',
  questions: 'Vragen? Beantwoord deze e-mail of schrijf naar',
  testOrder: {
    notice: 'Dit is een testbestelling: er is geen geld afgeschreven en er wordt niets bezorgd.',
    meantFor:
      'Deze e-mail was bedoeld voor {address}. E-mails over testbestellingen gaan naar de webshop, nooit naar een koper.',
  },
  testPayment: {
    notice: 'Dit is een testbetaling: er is geen geld afgeschreven en er wordt niets bezorgd.',
    meantFor:
      'Deze e-mail was bedoeld voor {address}. E-mails over testbetalingen gaan naar de webshop, nooit naar een koper.',
  },
  labels: {
    orderNumber: 'Bestelnummer',
    quantity: 'Aantal {count}',
    subtotal: 'Subtotaal',
    shipping: 'Verzending',
    free: 'Gratis',
    total: 'Totaal ({currency})',
    vat: 'Inclusief {rate}% btw',
    shippingAddress: 'Bezorgadres',
    billingAddress: 'Factuuradres',
    payment: 'Betaling',
    card: 'Kaart',
    seller: 'Verkoper',
    vatNumber: 'Btw-nummer {number}',
    parcel: 'Pakket',
    trackingNumber: 'Volgnummer {number}',
    product: 'Product',
    price: 'Prijs',
  },
  buttons: {
    viewOrder: 'Bestelling bekijken',
    track: 'Pakket volgen',
    buyAgain: 'Opnieuw kopen',
  },
  confirmation: {
    subject: 'Je bestelling bij {shop} is bevestigd',
    preview: '{product}, {price}. We maken je bestelling klaar.',
    title: 'Bedankt!',
    confirmed: 'Je bestelling is bevestigd.',
    paid: 'Je bestelling is bevestigd en betaald.',
    getReady: 'We maken je bestelling klaar en sturen die naar het adres hierboven.',
    link: 'De link hieronder laat zien hoe het met je bestelling staat. Hij werkt {days} dagen.',
    keep: 'Bewaar deze e-mail. Met het bestelnummer kunnen we je verder helpen.',
    returnedSubjects: {
      refund: 'Je bestelling bij {shop} is terugbetaald',
      chargeback: 'Je bank heeft de betaling van je bestelling bij {shop} teruggehaald',
      both: 'Je bestelling bij {shop} is terugbetaald en door je bank teruggehaald',
    },
  },
  shipped: {
    subject: 'Je bestelling bij {shop} is onderweg',
    preview: '{product} is naar je verstuurd.',
    title: 'Onderweg',
    lead: 'Je pakket is aan de vervoerder overgedragen.',
    testLead: 'Zo leest een koper dat een pakket onderweg is.',
    tracking: 'Het kan een dag duren voordat de vervoerder laat zien waar het pakket is.',
    link: 'De pagina van je bestelling laat zien hoe het ermee staat. De link werkt {days} dagen.',
  },
  refunded: {
    subject: '{amount} terugbetaald: je bestelling bij {shop}',
    title: 'Je terugbetaling',
    lead: 'Er is {amount} teruggestort op je kaart.',
    testLead: 'Van deze testbestelling is {amount} terugbetaald. Er is geen geld overgemaakt.',
    statement: 'Het kan enkele dagen duren voordat je kaartafschrift dit laat zien.',
  },
  sale: {
    noOrder: 'Er is geen bestelling gemaakt en er wordt niets verzonden.',
    askShop: 'Vragen? Vraag het de webshop waar je wilde kopen',
  },
  'payment-returned': {
    subject: 'Je betaling is teruggegeven',
    testLead: 'De betaling is teruggegeven, voor zover dat bij een test kan.',
  },
  'not-charged': {
    subject: 'Er is niets van je kaart afgeschreven',
    lead: 'We hebben je betaling bekeken: er is niets afgeschreven.',
    buyAgain: 'Wil je het product nog steeds, dan kun je het opnieuw kopen.',
  },
  'payment-closed': {
    subject: 'Je betaling is bekeken',
    lead: 'De webshop heeft je betaling bekeken. Er is geen bestelling van gemaakt.',
    ask: 'Staat het bedrag op je kaartafschrift of verwacht je een bezorging, vraag het dan de webshop.',
    keep: 'Bewaar deze e-mail: er staat in wat je wilde kopen.',
  },
  withdrawal: {
    subject: 'We hebben je herroeping ontvangen',
    lead: 'We hebben je verklaring ontvangen dat je een aankoop herroept.',
    yourStatement: 'Je verklaring',
    statement: 'Hierbij herroep ik mijn koopovereenkomst over de hier genoemde bestelling.',
    name: 'Naam',
    email: 'E-mail',
    received: 'Ontvangen',
    notQuoted: 'zoals je het hebt ingevuld',
    keep: 'Bewaar deze e-mail: hij laat zien wat je hebt verklaard en wanneer.',
    receiptOnly:
      'Hij bevestigt alleen de ontvangst. De webshop bekijkt daarna je herroeping.',
    notYou: 'Heb je dit niet verklaard, laat het de webshop dan weten.',
    online:
      'Je kunt online herroepen: kies ‘{here}’ hieronder of op de pagina van je bestelling.',
  },
}
