import type { PageTexts } from './en.ts'

export const fr: PageTexts = {
  titles: {
    checkout: '{product} · Commande',
    paused: '{product} · En pause',
    soldOut: '{product} · Épuisé',
    thankYou: 'Merci\u00a0! · {shop}',
  },
  language: 'Langue',
  checkout: {
    title: 'Commande',
    testMode: 'Mode test',
    needsScript:
      'Pour payer ici, JavaScript est nécessaire. Veuillez l’activer et recharger cette page.',
    summary: 'Récapitulatif',
    showSummary: 'Afficher le récapitulatif',
    hideSummary: 'Masquer le récapitulatif',
    quantity: 'Quantité\u00a0: {count}',
    fewLeft: 'Plus que {count} en stock',
    subtotal: 'Sous-total',
    shipping: 'Livraison',
    free: 'Gratuite',
    total: 'Total',
    codeNotValid:
      'Le code de remise du lien n’est pas valable pour cet achat. Le prix est indiqué sans ce code.',
  },
  recent: {
    label: 'Votre dernière commande',
    justNow: 'Vous venez d’acheter ce produit.',
    oneMinute: 'Vous avez acheté ce produit il y a 1 minute.',
    minutes: 'Vous avez acheté ce produit il y a {minutes} minutes.',
    isTest: 'C’était une commande de test\u00a0: rien n’a été débité.',
    isPaid: 'Il est payé, inutile de payer à nouveau.',
    see: 'Voir votre commande',
  },
  footer: {
    newTab: '(s’ouvre dans un nouvel onglet)',
    close: 'Fermer',
    thisShop: 'cette boutique',
    atStart: 'Cette boutique',
    writeTo: 'Écrivez à {email}.',
    reach: 'Vous pouvez joindre {shop} par le site ou le message où figurait ce lien.',
    refund: 'Remboursements',
    refundTexts: [
      'Si quelque chose ne va pas avec votre commande, contactez {shop}. {contact}',
      'Veuillez indiquer votre numéro de commande\u00a0; il figure sur la page affichée après votre achat et dans chaque e-mail concernant votre commande. {refunds} Vos droits légaux restent inchangés.',
    ],
    refundsToCard: 'Les remboursements sont faits sur la carte utilisée.',
    refundsOtherwise: 'Les remboursements sont faits par le moyen de paiement utilisé.',
    shipping: 'Conditions de livraison',
    shippingTexts: [
      '{theShop} envoie votre commande en livraison standard à l’adresse que vous indiquez ici. La livraison est gratuite.',
      'Des questions sur votre livraison\u00a0? {contact}',
    ],
    pricedShippingTexts: [
      '{theShop} envoie votre commande en livraison standard à l’adresse que vous indiquez ici. Le prix de la livraison est affiché avant le paiement.',
      'Des questions sur votre livraison\u00a0? {contact}',
    ],
    pickupText: 'Vous pouvez retirer votre commande ici\u00a0: {place}',
    privacy: 'Confidentialité',
    privacyTexts: [
      '{theShop} utilise ce que vous indiquez ici pour traiter votre commande, la livrer et vous écrire à son sujet. Les actualités ne sont envoyées que si vous le demandez.',
      'Vos données de carte vont directement à SumUp, le prestataire de paiement. La boutique ne les voit pas et ne les conserve pas. Si vous choisissez d’enregistrer vos informations, elles restent sur cet appareil.',
      'Pour consulter, corriger ou supprimer ce qui est conservé à votre sujet\u00a0: {contact}',
    ],
    terms: 'Conditions de vente',
    termsTexts: [
      'En payant, vous commandez auprès de {shop} le produit présenté ici pour le montant total indiqué ici. Le contrat est conclu lorsque le paiement est confirmé{mailed}.',
      'Des questions\u00a0? {contact}',
    ],
    termsMailed: '\u00a0; un e-mail vous en informe',
    contact: 'Contact',
    contactTexts: [
      'Vous achetez auprès de {shop}. Aucune adresse e-mail n’est indiquée ici. {contact}',
    ],
    imprint: 'Mentions légales',
    vatNumber: 'Numéro de TVA\u00a0: {number}',
  },
  missing: {
    'Product not found': 'Produit introuvable',
    'Order not found': 'Commande introuvable',
    'Page Not Found': 'Page introuvable',
    productReason:
      'Ce produit n’est plus en vente, ou le lien est incomplet. Veuillez en demander un nouveau à la boutique qui vous l’a envoyé.',
    orderReason:
      'Il n’y a pas de commande à cette adresse. Veuillez vérifier que le lien est complet.',
    lostOrderReason:
      'La boutique a été rétablie à partir d’une sauvegarde et ne connaît peut-être pas encore les dernières commandes. Si vous avez payé, il n’est pas nécessaire de payer à nouveau : veuillez écrire à la boutique pour qu’elle recherche votre commande.',
    pageReason:
      'Il n’y a rien à cette adresse. Vérifiez que le lien est complet, ou demandez-en un nouveau à la boutique qui vous l’a envoyé.',
  },
  paused: {
    title: 'Pas en vente pour le moment',
    text: 'La boutique a suspendu la\u00a0vente\u00a0de\u00a0«\u00a0{product}\u00a0». Veuillez revenir plus tard. Si vous venez de payer, votre commande suit son cours normalement.',
  },
  soldOut: {
    title: 'Épuisé',
    text: 'Tous les exemplaires de «\u00a0{product}\u00a0» sont vendus ou en cours de paiement par d’autres personnes. Si vous venez de payer, votre commande suit son cours normalement.',
  },
  problem: 'Cette page n’est pas disponible pour le moment',
  thankYou: {
    yourOrder: 'Votre commande',
    title: 'Merci\u00a0!',
    confirmed: 'Votre commande est confirmée',
    mailSent: 'Un e-mail de confirmation est en route vers {email}',
    mailOfTest: 'Comme il s’agit d’un test, aucun e-mail de confirmation n’est envoyé à {email}',
    noMails: 'Cette boutique n’envoie pas d’e-mails. Veuillez conserver l’adresse de cette page.',
    testOrder: 'Commande test\u00a0:',
    testNote: 'rien n’a été débité, rien ne sera livré.',
    orderNumber: 'Numéro de commande',
    copyOrderNumber: 'Copier le n° de commande',
    status: 'Statut',
    date: 'Date',
    parcel: 'Colis',
    copyTracking: 'Copier le numéro de suivi',
    track: 'Suivre votre colis',
    shippingAddress: 'Adresse de livraison',
    pickupAt: 'Retrait à',
    pickupHours: 'Horaires d’ouverture',
    billingAddress: 'Adresse de facturation',
    paymentMethod: 'Mode de paiement',
    card: 'Carte',
    preparing: 'En préparation',
    onItsWay: 'En chemin',
    readyForPickup: 'Prête à être retirée',
    completed: 'Terminée',
    vat: 'Dont TVA {rate}\u00a0%',
    sellersVatNumber: 'Numéro de TVA {number}',
    print: 'Imprimer',
    changedYourMind: 'Vous avez changé d’avis\u00a0?',
    next: 'Et maintenant\u00a0?',
    done: '(fait)',
    steps: {
      paid: 'La boutique a bien reçu votre commande et votre paiement',
      unpaid: 'La boutique a bien reçu votre commande',
      packed: 'Votre commande est préparée et emballée',
      sent: 'Votre colis est en chemin en livraison standard',
      pickup: 'Vous pouvez retirer votre commande',
    },
    testSteps: {
      paid: 'La boutique a votre commande de test, et aucun paiement',
      packed: 'Une vraie commande serait maintenant préparée et emballée',
      sent: 'Un vrai colis serait ensuite en chemin en livraison standard',
      pickup: 'Une vraie commande pourrait ensuite être retirée',
    },
  },
  returned: {
    titles: {
      refund: 'Votre commande a été remboursée',
      chargeback: 'Votre banque a repris le paiement à la boutique',
      both: 'Votre paiement a été remboursé et repris',
    },
    labels: {
      refund: 'Remboursement',
      chargeback: 'Reprise par la banque',
      both: 'Remboursement et reprise',
    },
    refunded:
      'Un remboursement de {amount} a été fait sur votre carte. Quelques jours peuvent passer avant que votre relevé de carte ne l’indique.',
    chargedBack: 'Votre banque a repris {amount} à la boutique.',
    refundedOtherwise:
      'Un remboursement de {amount} a été fait par le moyen de paiement utilisé. Quelques jours peuvent passer avant que vous ne l’y voyiez.',
    chargedBackOtherwise:
      'Votre banque ou votre service de paiement a repris {amount} à la boutique.',
  },
  withdrawal: {
    here: 'Renoncer au contrat ici',
    confirm: 'Confirmer la rétractation',
    policy: 'Droit de rétractation',
    received: 'Votre rétractation a été reçue',
    which: 'Dites-nous de quel achat vous vous rétractez. Vous n’avez pas à donner de motif.',
    name: 'Votre nom',
    orderNumber: 'Numéro de commande',
    orderNumberHint:
      'Il figure sur la page affichée après votre achat et dans chaque e-mail à son sujet.',
    email: 'E-mail',
    emailHint: 'L’adresse utilisée pour votre achat.',
    continue: 'Continuer',
    change: 'Modifier les données',
    aboutToState: 'Vous allez déclarer\u00a0:',
    statement:
      'Je vous notifie par la présente ma rétractation du contrat de vente portant sur la commande {orderNumber}.',
    receivedText:
      'Nous avons reçu votre rétractation le {receivedAt}. Nous en accusons réception par e-mail à {email}, avec son contenu, la date et l’heure, sauf si trop de ces e-mails ont été envoyés au cours de la dernière heure.',
    receivedTestText:
      'Nous avons reçu votre rétractation le {receivedAt}. Nous en accusons réception par e-mail à {email} seulement si le numéro et l’adresse correspondent à une commande qui n’était pas un test, et sauf si trop de ces e-mails ont été envoyés au cours de la dernière heure.',
    receivedUnmailedText:
      'Nous avons reçu votre rétractation le {receivedAt}. Cette boutique n’envoie pas d’e-mails\u00a0: veuillez conserver une copie de cette page.',
  },
}
