import type { PageTexts } from './en.ts'

export const de: PageTexts = {
  titles: {
    checkout: '{product} · Kasse',
    paused: '{product} · Pausiert',
    soldOut: '{product} · Ausverkauft',
    thankYou: 'Vielen Dank! · {shop}',
  },
  language: 'Sprache',
  checkout: {
    title: 'Kasse',
    testMode: 'Testmodus',
    needsScript:
      'Zum Bezahlen wird hier JavaScript gebraucht. Bitte schalten Sie es ein und laden Sie diese Seite neu.',
    summary: 'Bestellübersicht',
    showSummary: 'Bestellübersicht anzeigen',
    hideSummary: 'Bestellübersicht ausblenden',
    quantity: 'Menge: {count}',
    fewLeft: 'Nur noch {count} verfügbar',
    subtotal: 'Zwischensumme',
    shipping: 'Versand',
    free: 'Gratis',
    total: 'Gesamt',
    codeNotValid:
      'Der Rabattcode im Link gilt für diesen Kauf nicht. Der Preis wird ohne ihn angezeigt.',
  },
  recent: {
    label: 'Ihre letzte Bestellung',
    justNow: 'Sie haben das gerade eben gekauft.',
    oneMinute: 'Sie haben das vor 1 Minute gekauft.',
    minutes: 'Sie haben das vor {minutes} Minuten gekauft.',
    isTest: 'Es war eine Testbestellung: Es wurde kein Geld abgebucht.',
    isPaid: 'Es ist bezahlt, Sie müssen nicht noch einmal bezahlen.',
    see: 'Bestellung ansehen',
  },
  footer: {
    newTab: '(öffnet sich in einem neuen Tab)',
    close: 'Schließen',
    /** In the dative, as every {shop} below needs it but that of `reach`, which is given its own. */
    thisShop: 'diesem Shop',
    atStart: 'Dieser Shop',
    writeTo: 'Schreiben Sie an {email}.',
    reach: 'Sie erreichen {shop} über die Website oder die Nachricht, die Sie hierher geführt hat.',
    refund: 'Erstattungen',
    refundTexts: [
      'Wenn mit Ihrer Bestellung etwas nicht stimmt, melden Sie sich bitte bei {shop}. {contact}',
      'Bitte nennen Sie Ihre Bestellnummer; sie steht auf der Seite nach Ihrem Kauf und in jeder E-Mail zu Ihrer Bestellung. {refunds} Ihre gesetzlichen Rechte bleiben unberührt.',
    ],
    refundsToCard: 'Erstattungen gehen auf die Karte zurück, mit der bezahlt wurde.',
    refundsOtherwise: 'Erstattungen gehen auf dem Weg zurück, auf dem bezahlt wurde.',
    shipping: 'Versandbedingungen',
    shippingTexts: [
      '{theShop} sendet Ihre Bestellung per Standardversand an die Adresse, die Sie hier eingeben. Der Versand ist kostenlos.',
      'Fragen zu Ihrer Lieferung? {contact}',
    ],
    pricedShippingTexts: [
      '{theShop} sendet Ihre Bestellung per Standardversand an die Adresse, die Sie hier eingeben. Was der Versand kostet, sehen Sie vor dem Bezahlen.',
      'Fragen zu Ihrer Lieferung? {contact}',
    ],
    pickupText: 'Sie können Ihre Bestellung hier abholen: {place}',
    privacy: 'Datenschutz',
    privacyTexts: [
      '{theShop} verwendet Ihre Angaben, um Ihre Bestellung zu bearbeiten, sie zu liefern und Ihnen dazu zu schreiben. Neuigkeiten werden nur gesendet, wenn Sie das wünschen.',
      'Ihre Kartendaten gehen direkt an SumUp, den Zahlungsdienstleister. Der Shop sieht sie nicht und speichert sie nicht. Wenn Sie Ihre Angaben speichern lassen, bleiben sie auf diesem Gerät.',
      'Wenn Sie einsehen, berichtigen oder löschen lassen möchten, was über Sie gespeichert ist: {contact}',
    ],
    terms: 'AGB',
    termsTexts: [
      'Mit der Zahlung bestellen Sie das hier gezeigte Produkt bei {shop} zum hier gezeigten Gesamtbetrag. Der Vertrag kommt zustande, wenn die Zahlung bestätigt ist{mailed}.',
      'Fragen? {contact}',
    ],
    termsMailed: '; Sie erhalten darüber eine E-Mail',
    contact: 'Kontakt',
    contactTexts: [
      'Sie kaufen bei {shop}. Eine E-Mail-Adresse ist hier nicht angegeben. {contact}',
    ],
    imprint: 'Impressum',
    vatNumber: 'USt-IdNr.: {number}',
  },
  missing: {
    'Product not found': 'Produkt nicht gefunden',
    'Order not found': 'Bestellung nicht gefunden',
    'Page Not Found': 'Seite nicht gefunden',
    productReason:
      'Dieses Produkt wird nicht mehr verkauft, oder der Link ist unvollständig. Bitte fragen Sie den Shop, der ihn Ihnen geschickt hat, nach einem neuen.',
    orderReason:
      'Unter dieser Adresse gibt es keine Bestellung. Bitte prüfen Sie, ob der Link vollständig ist.',
    pageReason:
      'Unter dieser Adresse gibt es nichts. Prüfen Sie, ob der Link vollständig ist, oder fragen Sie den Shop, der ihn Ihnen geschickt hat, nach einem neuen.',
  },
  paused: {
    title: 'Zurzeit nicht im Verkauf',
    text: 'Der Shop hat den Verkauf von „{product}“ pausiert. Bitte kommen Sie später wieder. Falls Sie gerade bezahlt haben, läuft Ihre Bestellung wie gewohnt weiter.',
  },
  soldOut: {
    title: 'Ausverkauft',
    text: 'Alle Stücke von „{product}“ sind verkauft oder werden gerade von anderen bezahlt. Falls Sie gerade bezahlt haben, läuft Ihre Bestellung wie gewohnt weiter.',
  },
  problem: 'Diese Seite ist gerade nicht verfügbar',
  thankYou: {
    yourOrder: 'Ihre Bestellung',
    title: 'Vielen Dank!',
    confirmed: 'Ihre Bestellung ist bestätigt',
    mailSent: 'Eine Bestätigung per E-Mail ist unterwegs an {email}',
    mailOfTest: 'Da dies ein Test ist, geht keine Bestätigungs-E-Mail an {email}',
    noMails:
      'Dieser Shop versendet keine E-Mails. Bitte bewahren Sie die Adresse dieser Seite auf.',
    testOrder: 'Testbestellung:',
    testNote: 'Es wurde kein Geld abgebucht, es wird nichts geliefert.',
    orderNumber: 'Bestellnummer',
    copyOrderNumber: 'Bestellnummer kopieren',
    status: 'Status',
    date: 'Datum',
    parcel: 'Paket',
    copyTracking: 'Sendungsnummer kopieren',
    track: 'Paket verfolgen',
    shippingAddress: 'Lieferadresse',
    pickupAt: 'Abholung bei',
    pickupHours: 'Öffnungszeiten',
    billingAddress: 'Rechnungsadresse',
    paymentMethod: 'Zahlungsart',
    card: 'Karte',
    preparing: 'In Vorbereitung',
    onItsWay: 'Unterwegs',
    readyForPickup: 'Abholbereit',
    completed: 'Abgeschlossen',
    vat: 'Inkl. {rate}\u00a0% MwSt.',
    sellersVatNumber: 'USt-IdNr. {number}',
    print: 'Drucken',
    changedYourMind: 'Anders überlegt?',
    next: 'So geht es weiter',
    done: '(fertig)',
    steps: {
      paid: 'Der Shop hat Ihre Bestellung und Ihre Zahlung erhalten',
      unpaid: 'Der Shop hat Ihre Bestellung erhalten',
      packed: 'Ihre Bestellung wird vorbereitet und verpackt',
      sent: 'Ihr Paket ist per Standardversand unterwegs',
      pickup: 'Sie können Ihre Bestellung abholen',
    },
    testSteps: {
      paid: 'Der Shop hat Ihre Testbestellung und keine Zahlung',
      packed: 'Eine echte Bestellung würde jetzt vorbereitet und verpackt',
      sent: 'Ein echtes Paket wäre danach per Standardversand unterwegs',
      pickup: 'Eine echte Bestellung könnte danach abgeholt werden',
    },
  },
  returned: {
    titles: {
      refund: 'Ihre Bestellung wurde erstattet',
      chargeback: 'Ihre Zahlung wurde zurückgebucht',
      both: 'Ihre Zahlung wurde erstattet und zurückgebucht',
    },
    labels: {
      refund: 'Erstattet',
      chargeback: 'Zurückgebucht',
      both: 'Erstattet und zurückgebucht',
    },
    refunded:
      'Die Erstattung von {amount} ging auf Ihre Karte zurück. Es kann einige Tage dauern, bis Ihre Kartenabrechnung das zeigt.',
    chargedBack: 'Ihre Bank hat {amount} vom Shop zurückgeholt.',
    refundedOtherwise:
      'Die Erstattung von {amount} ging auf dem Weg zurück, auf dem Sie bezahlt haben. Es kann einige Tage dauern, bis Sie sie dort sehen.',
    chargedBackOtherwise: 'Ihre Bank oder Ihr Zahlungsdienst hat {amount} vom Shop zurückgeholt.',
  },
  withdrawal: {
    here: 'Vertrag widerrufen',
    confirm: 'Widerruf bestätigen',
    policy: 'Widerrufsrecht',
    received: 'Ihr Widerruf ist eingegangen',
    which: 'Sagen Sie uns, welchen Kauf Sie widerrufen. Einen Grund müssen Sie nicht nennen.',
    name: 'Ihr Name',
    orderNumber: 'Bestellnummer',
    orderNumberHint:
      'Sie steht auf der Seite nach Ihrem Kauf und in jeder E-Mail dazu, zum Beispiel #1042.',
    email: 'E-Mail',
    emailHint: 'Die, mit der Sie gekauft haben.',
    continue: 'Weiter',
    change: 'Angaben ändern',
    aboutToState: 'Sie erklären gleich:',
    statement: 'Hiermit widerrufe ich meinen Kaufvertrag über die Bestellung {orderNumber}.',
    receivedText:
      'Ihr Widerruf ist am {receivedAt} bei uns eingegangen. Wir bestätigen den Eingang per E-Mail an {email}, mit Inhalt, Datum und Uhrzeit, es sei denn, in der letzten Stunde wurden zu viele dieser E-Mails gesendet.',
    receivedTestText:
      'Ihr Widerruf ist am {receivedAt} bei uns eingegangen. Zu einer Testbestellung wird keine E-Mail an {email} gesendet. Bei jeder anderen bestätigen wir den Eingang dort, es sei denn, in der letzten Stunde wurden zu viele dieser E-Mails gesendet.',
    receivedUnmailedText:
      'Ihr Widerruf ist am {receivedAt} bei uns eingegangen. Dieser Shop versendet keine E-Mails: Bitte bewahren Sie eine Kopie dieser Seite auf.',
  },
}
