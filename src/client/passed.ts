/* Written by `npm run client-types` from the schemas of the bridge. */

import type { AirlineFields } from "./airline.ts";

/** Members of a start that the bridge passes to the gateway (docs/parameters.md). Money is text. */
export interface PassedFields {
  readonly merchantInvoiceId?: string | undefined;
  readonly merchantMemo?: string | undefined;
  readonly descriptor?: string | undefined;
  readonly taxAmount?: string | undefined;
  readonly discountAmount?: string | undefined;
  readonly transactionCategory?: string | undefined;
  readonly promotionCode?: string | undefined;
  readonly locale?: string | undefined;
  readonly transactionPurposeCode?: string | undefined;
  readonly transactionBai?: string | undefined;
  readonly transactionTti?: string | undefined;
  readonly transactionProcessingCode?: string | undefined;
  readonly cart?: CartFields | undefined;
  readonly customer?: CustomerFields | undefined;
  readonly billing?: BillingFields | undefined;
  readonly shipping?: ShippingFields | undefined;
  readonly corporate?: CorporateFields | undefined;
  readonly sender?: SenderFields | undefined;
  readonly recipient?: RecipientFields | undefined;
  readonly merchant?: MerchantFields | undefined;
  readonly marketPlace?: MarketPlaceFields | undefined;
  readonly airline?: AirlineFields | undefined;
  readonly risk?: RiskFields | undefined;
  readonly giftCard?: GiftCardFields | undefined;
  readonly standingInstruction?: StandingInstructionFields | undefined;
  readonly customParameters?: CustomParametersFields | undefined;
}

export interface CartFields {
  readonly items?:
    | readonly {
        readonly name?: string | undefined;
        readonly merchantItemId?: string | undefined;
        readonly quantity?: string | number | undefined;
        readonly type?: string | undefined;
        readonly sku?: string | undefined;
        readonly currency?: string | undefined;
        readonly description?: string | undefined;
        readonly commodityCode?: string | undefined;
        readonly commodityDescription?: string | undefined;
        readonly originalPrice?: string | undefined;
        readonly price?: string | undefined;
        readonly totalAmount?: string | undefined;
        readonly taxAmount?: string | undefined;
        readonly totalTaxAmount?: string | undefined;
        readonly tax?: string | undefined;
        readonly taxCategory?: string | undefined;
        readonly shipping?: string | undefined;
        readonly discount?: string | undefined;
        readonly giftMessage?: string | undefined;
        readonly shippingMethod?: string | undefined;
        readonly shippingInstructions?: string | undefined;
        readonly shippingTrackingNumber?: string | undefined;
        readonly quantityUnit?: string | undefined;
        readonly productUrl?: string | undefined;
        readonly imageUrl?: string | undefined;
        readonly totalDiscountAmount?: string | undefined;
        readonly productCode?: string | undefined;
        readonly partNumber?: string | undefined;
        readonly vatReferenceNumber?: string | undefined;
        readonly itemNumber?: string | number | undefined;
        readonly sellerId?: string | undefined;
        readonly recipient?:
          | {
              readonly salutation?: string | undefined;
              readonly firstName?: string | undefined;
              readonly lastName?: string | undefined;
              readonly middleName?: string | undefined;
              readonly apartment?: string | undefined;
              readonly street?: string | undefined;
              readonly address?: string | undefined;
              readonly city?: string | undefined;
              readonly state?: string | undefined;
              readonly postcode?: string | undefined;
              readonly country?: string | undefined;
              readonly phone?: string | undefined;
              readonly email?: string | undefined;
            }
          | undefined;
        readonly deliveryDate?: string | undefined;
      }[]
    | undefined;
  readonly payments?:
    | readonly {
        readonly name?: string | undefined;
        readonly type?: string | undefined;
        readonly amount?: string | undefined;
        readonly currency?: string | undefined;
        readonly status?: string | undefined;
        readonly brand?: string | undefined;
        readonly primary?: boolean | undefined;
      }[]
    | undefined;
}

export interface CustomerFields {
  readonly merchantCustomerId?: string | undefined;
  readonly givenName?: string | undefined;
  readonly middleName?: string | undefined;
  readonly surname?: string | undefined;
  readonly sex?: string | undefined;
  readonly birthDate?: string | undefined;
  readonly phone?: string | undefined;
  readonly mobile?: string | undefined;
  readonly workPhone?: string | undefined;
  readonly email?: string | undefined;
  readonly companyName?: string | undefined;
  readonly identificationDocType?: string | undefined;
  readonly identificationDocId?: string | undefined;
  readonly ip?: string | undefined;
  readonly merchantReference?: string | undefined;
  readonly salutation?: string | undefined;
  readonly language?: string | undefined;
  readonly category?: string | undefined;
  readonly status?: string | undefined;
  readonly browser?:
    | {
        readonly acceptHeader?: string | undefined;
        readonly language?: string | undefined;
        readonly screenHeight?: string | number | undefined;
        readonly screenWidth?: string | number | undefined;
        readonly timezone?: string | undefined;
        readonly userAgent?: string | undefined;
        readonly javaEnabled?: boolean | undefined;
        readonly screenColorDepth?: string | undefined;
        readonly challengeWindow?: string | undefined;
        readonly deviceId?: string | undefined;
      }
    | undefined;
  readonly browserFingerprint?: { readonly id?: string | undefined; readonly value?: string | undefined } | undefined;
  readonly app?: { readonly deviceId?: string | undefined } | undefined;
}

export interface BillingFields {
  readonly street1?: string | undefined;
  readonly street2?: string | undefined;
  readonly houseNumber1?: string | undefined;
  readonly houseNumber2?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postcode?: string | undefined;
  readonly country?: string | undefined;
  readonly normalized?: string | undefined;
  readonly validationStatus?: string | undefined;
}

export interface ShippingFields {
  readonly street1?: string | undefined;
  readonly street2?: string | undefined;
  readonly houseNumber1?: string | undefined;
  readonly houseNumber2?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postcode?: string | undefined;
  readonly country?: string | undefined;
  readonly method?: string | undefined;
  readonly cost?: string | undefined;
  readonly comment?: string | undefined;
  readonly expectedDate?: string | undefined;
  readonly logisticsProvider?: string | undefined;
  readonly trackingNumber?: string | undefined;
  readonly returnTrackingNumber?: string | undefined;
  readonly normalized?: string | undefined;
  readonly validationStatus?: string | undefined;
  readonly warehouse?: string | undefined;
  readonly preference?: string | undefined;
  readonly middleName?: string | undefined;
  readonly companyName?: string | undefined;
  readonly phone?: string | undefined;
  readonly mobile?: string | undefined;
  readonly workPhone?: string | undefined;
  readonly email?: string | undefined;
  readonly type?: string | undefined;
  readonly customer?:
    | {
        readonly merchantCustomerId?: string | undefined;
        readonly givenName?: string | undefined;
        readonly middleName?: string | undefined;
        readonly surname?: string | undefined;
        readonly sex?: string | undefined;
        readonly birthDate?: string | undefined;
        readonly phone?: string | undefined;
        readonly mobile?: string | undefined;
        readonly workPhone?: string | undefined;
        readonly email?: string | undefined;
        readonly companyName?: string | undefined;
        readonly identificationDocType?: string | undefined;
        readonly identificationDocId?: string | undefined;
        readonly ip?: string | undefined;
        readonly merchantReference?: string | undefined;
        readonly salutation?: string | undefined;
        readonly language?: string | undefined;
        readonly category?: string | undefined;
        readonly status?: string | undefined;
        readonly browser?:
          | {
              readonly acceptHeader?: string | undefined;
              readonly language?: string | undefined;
              readonly screenHeight?: string | number | undefined;
              readonly screenWidth?: string | number | undefined;
              readonly timezone?: string | undefined;
              readonly userAgent?: string | undefined;
              readonly javaEnabled?: boolean | undefined;
              readonly screenColorDepth?: string | undefined;
              readonly challengeWindow?: string | undefined;
            }
          | undefined;
      }
    | undefined;
}

export interface CorporateFields {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly street?: string | undefined;
  readonly address?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postCode?: string | undefined;
  readonly suite?: string | undefined;
  readonly postboxNumber?: string | undefined;
  readonly purchase?: string | undefined;
  readonly phone?: string | undefined;
  readonly fax?: string | undefined;
  readonly vatId?: string | undefined;
}

export interface SenderFields {
  readonly name?: string | undefined;
  readonly givenName?: string | undefined;
  readonly middleName?: string | undefined;
  readonly surname?: string | undefined;
  readonly birthDate?: string | undefined;
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly country?: string | undefined;
  readonly postcode?: string | undefined;
  readonly sourceOfFunds?: string | undefined;
}

export interface RecipientFields {
  readonly givenName?: string | undefined;
  readonly middleName?: string | undefined;
  readonly surname?: string | undefined;
  readonly birthDate?: string | undefined;
  readonly phone?: string | undefined;
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly country?: string | undefined;
  readonly postcode?: string | undefined;
}

export interface MerchantFields {
  readonly billing?:
    | {
        readonly street1?: string | undefined;
        readonly street2?: string | undefined;
        readonly houseNumber1?: string | undefined;
        readonly houseNumber2?: string | undefined;
        readonly city?: string | undefined;
        readonly state?: string | undefined;
        readonly postcode?: string | undefined;
        readonly country?: string | undefined;
        readonly normalized?: string | undefined;
        readonly validationStatus?: string | undefined;
        readonly givenName?: string | undefined;
        readonly surname?: string | undefined;
        readonly middleName?: string | undefined;
        readonly companyName?: string | undefined;
        readonly phone?: string | undefined;
        readonly workPhone?: string | undefined;
        readonly mobile?: string | undefined;
        readonly email?: string | undefined;
      }
    | undefined;
  readonly shipping?:
    | {
        readonly street1?: string | undefined;
        readonly street2?: string | undefined;
        readonly houseNumber1?: string | undefined;
        readonly houseNumber2?: string | undefined;
        readonly city?: string | undefined;
        readonly state?: string | undefined;
        readonly postcode?: string | undefined;
        readonly country?: string | undefined;
        readonly method?: string | undefined;
        readonly cost?: string | undefined;
        readonly comment?: string | undefined;
        readonly expectedDate?: string | undefined;
        readonly logisticsProvider?: string | undefined;
        readonly trackingNumber?: string | undefined;
        readonly returnTrackingNumber?: string | undefined;
        readonly normalized?: string | undefined;
        readonly validationStatus?: string | undefined;
        readonly warehouse?: string | undefined;
        readonly preference?: string | undefined;
        readonly middleName?: string | undefined;
        readonly companyName?: string | undefined;
        readonly phone?: string | undefined;
        readonly mobile?: string | undefined;
        readonly workPhone?: string | undefined;
        readonly email?: string | undefined;
        readonly type?: string | undefined;
      }
    | undefined;
  readonly name?: string | undefined;
  readonly mcc?: string | undefined;
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly countryCode?: string | undefined;
  readonly country?: string | undefined;
  readonly postcode?: string | undefined;
  readonly geographicCoordinates?: string | undefined;
  readonly serviceLocationCity?: string | undefined;
  readonly serviceLocationState?: string | undefined;
  readonly serviceLocationCountryCode?: string | undefined;
  readonly serviceLocationPostCode?: string | undefined;
  readonly serviceLocationGeographicCoordinates?: string | undefined;
  readonly additionalContact?: string | undefined;
  readonly phone?: string | undefined;
  readonly customerContactPhone?: string | undefined;
  readonly websiteId?: string | undefined;
  readonly url?: string | undefined;
  readonly partnerIdCode?: string | undefined;
  readonly isoId?: string | undefined;
  readonly payFacId?: string | undefined;
  readonly payFacName?: string | undefined;
  readonly marketplaceId?: string | undefined;
  readonly submerchantId?: string | undefined;
  readonly taxId?: string | undefined;
  readonly data?: { readonly [name: string]: string } | undefined;
  readonly foreignRetailIndicator?: string | undefined;
  readonly legalName?: string | undefined;
  readonly app?: { readonly schemeUrl?: string | undefined } | undefined;
}

export interface MarketPlaceFields {
  readonly sellers?: readonly { readonly id?: string | undefined; readonly amount?: string | undefined }[] | undefined;
}

export interface RiskFields {
  readonly channelId?: string | undefined;
  readonly serviceId?: string | undefined;
  readonly amount?: string | undefined;
  readonly orderTimestamp?: string | undefined;
  readonly brand?: string | undefined;
  readonly parameters?: { readonly [name: string]: string } | undefined;
  readonly merchantWebsite?: string | undefined;
}

export interface GiftCardFields {
  readonly message?: string | undefined;
  readonly type?: string | undefined;
}

export interface StandingInstructionFields {
  readonly type?: string | undefined;
  readonly recurringType?: string | undefined;
  readonly mode?: string | undefined;
  readonly source?: string | undefined;
  readonly initialTransactionId?: string | undefined;
  readonly industryPractice?: string | undefined;
  readonly expiry?: string | undefined;
  readonly frequency?: string | number | undefined;
  readonly numberOfInstallments?: string | number | undefined;
  readonly agreementId?: string | undefined;
}

export interface CustomParametersFields {
  readonly [name: string]: string;
}
