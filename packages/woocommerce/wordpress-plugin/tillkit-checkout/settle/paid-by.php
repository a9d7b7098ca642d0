<?php
/** What an order shows as paid by. The companion reads the same from the REST API; vectors/settle.json holds both to it. */

defined( 'ABSPATH' ) || exit;

/** An order in one of these is not paid, whatever date of payment it still bears: WooCommerce never takes that date away. */
const TILLKIT_UNPAID_STATUSES = array( 'pending', 'failed', 'checkout-draft', 'cancelled', 'refunded', 'trash' );

/** Order meta that payment gateways leave. It tells of an attempt, not of money. */
const TILLKIT_OTHER_GATEWAYS = '/^_(?:stripe|wcpay|ppcp|paypal|mollie|square|klarna|razorpay|adyen|braintree)_|^_(?:intent|charge)_id\z/';

/**
 * A payment id of ours, or "outside" (another method, or another gateway's transaction), "owner" (set to paid by hand),
 * "unclear" (paid, and nobody can tell by what), null while the order is unpaid.
 */
function tillkit_paid_by( WC_Order $order ): ?string {
	if ( ! $order->get_date_paid() && ! $order->is_paid() ) {
		return null;
	}
	$method  = (string) $order->get_payment_method();
	$payment = 'tillkit' === $method ? (string) $order->get_meta( '_tillkit_payment_id' ) : '';
	if ( '' !== $payment ) {
		return $payment;
	}
	if ( ! in_array( $method, array( '', 'tillkit' ), true ) || '' !== (string) $order->get_transaction_id() ) {
		return 'outside';
	}
	return tillkit_paid_without_payment( $order );
}

function tillkit_paid_without_payment( WC_Order $order ): ?string {
	$status = $order->get_status();
	if ( in_array( $status, TILLKIT_UNPAID_STATUSES, true ) || ( 'on-hold' === $status && ! tillkit_is_late_hold( $order ) ) ) {
		return null;
	}
	$set_paid = tillkit_set_paid( $order );
	if ( null !== $set_paid ) {
		return '' === $set_paid['by'] ? 'unclear' : 'owner';
	}
	$decided = $order->is_paid() || 'on-hold' === $status;
	return $decided && ! tillkit_names_other_gateway( $order ) ? 'owner' : 'unclear';
}

function tillkit_names_other_gateway( WC_Order $order ): bool {
	foreach ( $order->get_meta_data() as $meta ) {
		if ( preg_match( TILLKIT_OTHER_GATEWAYS, (string) $meta->key ) ) {
			return true;
		}
	}
	return false;
}
