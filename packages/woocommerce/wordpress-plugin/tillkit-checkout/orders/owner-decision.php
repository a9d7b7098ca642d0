<?php
/** Records the status that the owner sets. The checkout server then neither undoes this status nor mistakes it for a payment. */

defined( 'ABSPATH' ) || exit;

/**
 * Records who set an order to paid, and when. Removes the record when the order becomes unpaid. Writes of the checkout server
 * are not recorded.
 *
 * @param mixed $order
 */
function tillkit_record_owner_decision( $order_id, $from, $to, $order ): void {
	if ( ! $order instanceof WC_Order || ! tillkit_is_own_order( $order ) || tillkit_is_checkout_server_write() ) {
		return;
	}
	$awaits_payment = ! $order->is_paid() && tillkit_is_payable( $order );
	if ( $awaits_payment || 'on-hold' === $to || in_array( $to, TILLKIT_UNPAID_STATUSES, true ) ) {
		tillkit_clear_owner_decision( $order );
		return;
	}
	$order->delete_meta_data( '_tillkit_hold' );
	$becomes_paid    = in_array( $to, wc_get_is_paid_statuses(), true );
	$has_our_payment = '' !== tillkit_own_payment( tillkit_order( $order ) );
	if ( ! $becomes_paid || $has_our_payment ) {
		$order->save_meta_data();
		return;
	}
	// From one paid status to another, such as from Processing to Completed, the first decision stays.
	$was_paid = in_array( $from, wc_get_is_paid_statuses(), true );
	$set_paid = $was_paid ? tillkit_owner_decision( $order ) : null;
	if ( null === $set_paid || '' === $set_paid['by'] ) {
		$set_paid = array(
			'by' => tillkit_current_actor(),
			'at' => time(),
		);
	}
	$order->update_meta_data( '_tillkit_set_paid', (string) wp_json_encode( array( 'status' => (string) $to ) + $set_paid ) );
	$order->save_meta_data();
	tillkit_request_check( tillkit_order( $order ) );
}

function tillkit_clear_owner_decision( WC_Order $order ): void {
	$order->delete_meta_data( '_tillkit_set_paid' );
	$order->delete_meta_data( '_tillkit_hold' );
	$order->save_meta_data();
}

/** The role and id of the current user, without login and e-mail. Empty for programs and users without the capability. */
function tillkit_current_actor(): string {
	if ( ! ( is_admin() || WC()->is_rest_api_request() ) || ! current_user_can( 'edit_shop_orders' ) ) {
		return '';
	}
	$user  = wp_get_current_user();
	$roles = array_values( $user->roles );
	return ( $roles[0] ?? 'user' ) . ' #' . $user->ID;
}

/** @return array{by:string,at:int,status:string}|null `by` is empty if a program set the order to paid. */
function tillkit_owner_decision( WC_Order $order ): ?array {
	$stored = json_decode( (string) $order->get_meta( '_tillkit_set_paid' ), true );
	if ( ! is_array( $stored ) || ! is_string( $stored['by'] ?? null ) || ! is_int( $stored['at'] ?? null ) || ! is_string( $stored['status'] ?? null ) ) {
		return null;
	}
	return array(
		'by'     => $stored['by'],
		'at'     => $stored['at'],
		'status' => $stored['status'],
	);
}

/**
 * Whether a hold of the checkout server was applied after the owner had set the order to paid. The meta `_tillkit_hold` is written
 * only to orders without a date of payment, and every later change of the status removes it.
 */
function tillkit_is_stale_hold( WC_Order $order ): bool {
	return 'on-hold' === $order->get_status() && $order->get_date_paid() && '' !== (string) $order->get_meta( '_tillkit_hold' );
}

/** Restores the status that the owner had set, without sending the e-mails of that status a second time. */
function tillkit_restore_owner_status( WC_Order $order ): void {
	$set_paid = tillkit_owner_decision( $order );
	$default  = $order->get_date_completed() ? 'completed' : 'processing';
	$status   = null === $set_paid ? $default : $set_paid['status'];
	$order->delete_meta_data( '_tillkit_hold' );
	$order->set_status( $status );
	// WooCommerce sends the e-mails of a status from this hook, so its senders are removed until the order is saved.
	$hook    = "woocommerce_order_status_on-hold_to_$status";
	$senders = array( array( 'WC_Emails', 'send_transactional_email' ), array( 'WC_Emails', 'queue_transactional_email' ) );
	$removed = array();
	foreach ( $senders as $sender ) {
		if ( remove_action( $hook, $sender, 10 ) ) {
			$removed[] = $sender;
		}
	}
	tillkit_save_unless_stale( $order, 'on-hold', array( $order, 'save' ) );
	foreach ( $removed as $sender ) {
		add_action( $hook, $sender, 10, 10 );
	}
}
