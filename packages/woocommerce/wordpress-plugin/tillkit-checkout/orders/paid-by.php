<?php
/** What paid an order. The checkout server computes the same value from the REST API; vectors/mark-paid.json tests both. */

defined( 'ABSPATH' ) || exit;

/** Orders in these statuses are unpaid even with a date of payment: WooCommerce never removes that date. */
const TILLKIT_UNPAID_STATUSES = array( 'pending', 'failed', 'checkout-draft', 'cancelled', 'refunded', 'trash' );

/** Order meta of other payment gateways. It proves an attempt, not a payment. */
const TILLKIT_OTHER_GATEWAY_META = '/^_(?:stripe|wcpay|ppcp|paypal|mollie|square|klarna|razorpay|adyen|braintree)_|^_(?:intent|charge)_id\z/';

/**
 * The id of our payment, or "outside" (another payment method, or another gateway's transaction), "owner" (a person set the order
 * to paid), "unclear" (the order is paid and the cause is unknown), or null while the order is unpaid.
 */
function tillkit_paid_by( WC_Order $order ): ?string {
	if ( ! $order->get_date_paid() && ! $order->is_paid() ) {
		return null;
	}
	$method  = (string) $order->get_payment_method();
	$payment = tillkit_is_own_method( $method ) ? tillkit_own_payment( tillkit_order( $order ) ) : '';
	if ( '' !== $payment ) {
		return tillkit_is_reopened_after_loss( $order, $payment ) ? null : $payment;
	}
	$transaction = tillkit_has_copied_payment( tillkit_order( $order ) ) ? '' : (string) $order->get_transaction_id();
	if ( ( '' !== $method && ! tillkit_is_own_method( $method ) ) || '' !== $transaction ) {
		return 'outside';
	}
	return tillkit_paid_without_payment( $order );
}

/** The id of the order that the payment paid. Other plugins copy the meta of an order to renewals and duplicates. */
const TILLKIT_PAYMENT_ORDER_META = '_tillkit_payment_order';

/** The id of the payment of the order that was refunded in full, or that a lost dispute took back. Written by the checkout server. */
const TILLKIT_LOST_PAYMENT_META = '_tillkit_lost_payment';

/** Whether the owner reopened the order after its payment was refunded or lost: the order waits for another payment. */
function tillkit_is_reopened_after_loss( WC_Order $order, string $payment ): bool {
	return tillkit_is_reopened( $order ) && (string) $order->get_meta( TILLKIT_LOST_PAYMENT_META ) === $payment;
}

/** Whether the order may be paid by its status, whatever it shows of an earlier payment. */
function tillkit_is_reopened( WC_Order $order ): bool {
	return tillkit_is_payable( $order ) && ! tillkit_is_stale_hold( $order );
}

function tillkit_paid_without_payment( WC_Order $order ): ?string {
	$status = $order->get_status();
	$awaits_payment = ! $order->is_paid() && $order->needs_payment();
	if ( $awaits_payment || in_array( $status, TILLKIT_UNPAID_STATUSES, true ) || ( 'on-hold' === $status && ! tillkit_is_stale_hold( $order ) ) ) {
		return null;
	}
	$decision = tillkit_owner_decision( $order );
	if ( null !== $decision ) {
		return '' === $decision['by'] ? 'unclear' : 'owner';
	}
	$was_set_to_paid = $order->is_paid() || 'on-hold' === $status;
	return $was_set_to_paid && ! tillkit_has_other_gateway_meta( $order ) ? 'owner' : 'unclear';
}

function tillkit_has_other_gateway_meta( WC_Order $order ): bool {
	foreach ( $order->get_meta_data() as $meta ) {
		if ( preg_match( TILLKIT_OTHER_GATEWAY_META, (string) $meta->key ) ) {
			return true;
		}
	}
	return false;
}
