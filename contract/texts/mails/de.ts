import type { MailTexts } from './en.ts'

export const mails: MailTexts = {
  subjectOfShop: '{subject}: {shop}',
  next: 'So geht es weiter',
  questions: 'Fragen? Antworten Sie auf diese E-Mail oder schreiben Sie an',
  testOrder: {
    notice:
      'Dies ist eine Testbestellung: Es wurde kein Geld abgebucht, und es wird nichts geliefert.',
    meantFor:
      'Diese E-Mail war für {address} bestimmt. E-Mails zu Testbestellungen gehen an den Shop, nie an Käufer.',
  },
  testPayment: {
    notice:
      'Dies ist eine Testzahlung: Es wurde kein Geld abgebucht, und es wird nichts geliefert.',
    meantFor:
      'Diese E-Mail war für {address} bestimmt. E-Mails zu Testzahlungen gehen an den Shop, nie an Käufer.',
  },
  labels: {
    orderNumber: 'Bestellnummer',
    quantity: 'Menge: {count}',
    subtotal: 'Zwischensumme',
    shipping: 'Versand',
    free: 'Gratis',
    total: 'Gesamt ({currency})',
    vat: 'Inkl. {rate}\u00a0% MwSt.',
    shippingAddress: 'Lieferadresse',
    pickupAt: 'Abholung bei',
    pickupHours: 'Öffnungszeiten',
    billingAddress: 'Rechnungsadresse',
    payment: 'Zahlung',
    card: 'Karte',
    seller: 'Verkäufer',
    vatNumber: 'USt-IdNr. {number}',
    parcel: 'Paket',
    trackingNumber: 'Sendungsnummer {number}',
    product: 'Produkt',
    price: 'Preis',
  },
  buttons: {
    viewOrder: 'Bestellung ansehen',
    track: 'Paket verfolgen',
    buyAgain: 'Noch einmal kaufen',
  },
  confirmation: {
    subject: 'Ihre Bestellung bei {shop} ist bestätigt',
    preview: '{product}, {price}. Wir machen Ihre Bestellung fertig.',
    title: 'Vielen Dank!',
    confirmed: 'Ihre Bestellung ist bestätigt.',
    paid: 'Ihre Bestellung ist bestätigt und bezahlt.',
    getReady: 'Wir machen Ihre Bestellung fertig und senden sie an die Adresse oben.',
    getReadyForPickup:
      'Wir machen Ihre Bestellung fertig und schreiben Ihnen, sobald Sie sie abholen können.',
    link: 'Der Link unten zeigt, wie es um Ihre Bestellung steht. Er gilt {days} Tage.',
    keep: 'Bewahren Sie diese E-Mail auf. Mit der Bestellnummer können wir Ihnen weiterhelfen.',
    returnedSubjects: {
      refund: 'Ihre Bestellung bei {shop} wurde erstattet',
      chargeback: 'Die Zahlung Ihrer Bestellung bei {shop} wurde zurückgebucht',
      both: 'Die Zahlung Ihrer Bestellung bei {shop} wurde erstattet und zurückgebucht',
    },
  },
  shipped: {
    subject: 'Ihre Bestellung bei {shop} ist unterwegs',
    preview: '{product} wurde an Sie versandt.',
    title: 'Unterwegs',
    lead: 'Ihr Paket wurde dem Paketdienst übergeben.',
    testLead: 'So erfahren Käufer, dass ein Paket unterwegs ist.',
    tracking: 'Es kann einen Tag dauern, bis der Paketdienst zeigt, wo das Paket ist.',
    link: 'Die Seite Ihrer Bestellung zeigt, wie es um sie steht. Ihr Link gilt {days} Tage.',
  },
  readyForPickup: {
    subject: 'Ihre Bestellung bei {shop} ist abholbereit',
    preview: '{product} liegt für Sie bereit.',
    title: 'Abholbereit',
    lead: 'Ihre Bestellung ist fertig. Sie können sie am Ort unten abholen.',
    testLead: 'So erfahren Käufer, dass eine Bestellung abholbereit ist.',
    bring: 'Bitte bringen Sie die Bestellnummer mit.',
  },
  unshipped: {
    subject: 'Berichtigung zu Ihrer Bestellung bei {shop}',
    preview: 'Was wir über {product} geschrieben haben, kam zu früh.',
    title: 'Berichtigung',
    notSent:
      'Wir haben Ihnen geschrieben, dass Ihre Bestellung unterwegs ist. Das stimmte nicht: Sie ist noch bei uns.',
    notReady:
      'Wir haben Ihnen geschrieben, dass Ihre Bestellung abholbereit ist. Das stimmte nicht: Bitte kommen Sie erst, wenn wir wieder schreiben.',
  },
  refunded: {
    subject: 'Erstattung von {amount}: Ihre Bestellung bei {shop}',
    title: 'Ihre Erstattung',
    lead: '{amount} gingen an Ihre Karte zurück.',
    testLead:
      '{amount} dieser Testbestellung gelten als zurückgezahlt. Es ist kein Geld geflossen.',
    statement: 'Es kann einige Tage dauern, bis Ihre Kartenabrechnung das zeigt.',
    leadOtherwise: '{amount} gingen auf dem Weg zurück, auf dem Sie bezahlt haben.',
    statementOtherwise: 'Es kann einige Tage dauern, bis Sie das dort sehen.',
  },
  sale: {
    noOrder: 'Es wurde keine Bestellung angelegt, und es wird nichts versandt.',
    askShop: 'Fragen? Wenden Sie sich an den Shop, bei dem Sie kaufen wollten',
  },
  'payment-returned': {
    subject: 'Ihre Zahlung wurde zurückgegeben',
    testLead: 'Die Zahlung wurde zurückgegeben, soweit das bei einem Test möglich ist.',
  },
  'not-charged': {
    subject: 'Ihre Karte wurde nicht belastet',
    subjectOtherwise: 'Es wurde nichts abgebucht',
    lead: 'Wir haben uns Ihre Zahlung angesehen: Es wurde nichts abgebucht.',
    buyAgain: 'Wenn Sie das Produkt noch möchten, können Sie es noch einmal kaufen.',
  },
  'payment-closed': {
    subject: 'Ihre Zahlung wurde geprüft',
    lead: 'Der Shop hat sich Ihre Zahlung angesehen. Es wurde keine Bestellung daraus angelegt.',
    ask: 'Wenn Ihre Kartenabrechnung den Betrag zeigt oder Sie eine Lieferung erwarten, fragen Sie den Shop.',
    askOtherwise:
      'Wenn Sie sehen, dass der Betrag abgebucht wurde, oder Sie eine Lieferung erwarten, fragen Sie den Shop.',
    keep: 'Bewahren Sie diese E-Mail auf: Darin steht, was Sie kaufen wollten.',
  },
  withdrawal: {
    subject: 'Wir haben Ihren Widerruf erhalten',
    lead: 'Wir haben Ihre Erklärung erhalten, dass Sie einen Kauf widerrufen.',
    yourStatement: 'Ihre Erklärung',
    statement: 'Hiermit widerrufe ich meinen Kaufvertrag über die hier genannte Bestellung.',
    name: 'Name',
    email: 'E-Mail',
    received: 'Eingegangen',
    notQuoted: 'wie von Ihnen eingegeben',
    keep: 'Bewahren Sie diese E-Mail auf: Sie zeigt, was Sie erklärt haben und wann.',
    receiptOnly:
      'Sie bestätigt nur den Eingang. Als Nächstes sieht sich der Shop Ihren Widerruf an.',
    notYou: 'Falls Sie das nicht erklärt haben, sagen Sie bitte dem Shop Bescheid.',
    online:
      'Sie können online widerrufen: Wählen Sie „{here}“ unten oder auf der Seite Ihrer Bestellung.',
  },
}
