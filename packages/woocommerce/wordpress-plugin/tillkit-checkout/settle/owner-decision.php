<?php
/** What the owner decided about an order, so that it is neither undone nor taken for another payment. */

defined( 'ABSPATH' ) || exit;

/**
 * Remembers who set an order to paid by hand, and when; forgets it when the order is taken back. What the companion writes
 * is nobody's decision.
 *
 * @param mixed $order
 */
function tillkit_remember_decision( $order_id, $from, $to, $order ): void {
	if ( ! $order instanceof WC_Order || ! tillkit_concerns( $order ) || tillkit_companion_writes() ) {
		return;
	}
	if ( 'on-hold' === $to || in_array( $to, TILLKIT_UNPAID_STATUSES, true ) ) {
		tillkit_forget_decision( $order );
		return;
	}
	$order->delete_meta_data( '_tillkit_hold' );
	if ( in_array( $to, wc_get_is_paid_statuses(), true ) && '' === (string) $order->get_meta( '_tillkit_payment_id' ) ) {
		$kept     = in_array( $from, wc_get_is_paid_statuses(), true ) ? tillkit_set_paid( $order ) : null;
		$set_paid = null !== $kept && '' !== $kept['by'] ? $kept : array(
			'by' => tillkit_person_at_work(),
			'at' => time(),
		);
		$order->update_meta_data( '_tillkit_set_paid', (string) wp_json_encode( array( 'status' => (string) $to ) + $set_paid ) );
		$order->save_meta_data();
		tillkit_ask_to_look( $order );
		return;
	}
	$order->save_meta_data();
}

function tillkit_forget_decision( WC_Order $order ): void {
	$order->delete_meta_data( '_tillkit_set_paid' );
	$order->delete_meta_data( '_tillkit_hold' );
	$order->save_meta_data();
}

/** A role and a number, never a login or an e-mail; empty when no person with the right to do so is at work. */
function tillkit_person_at_work(): string {
	if ( ! ( is_admin() || WC()->is_rest_api_request() ) || ! current_user_can( 'edit_shop_orders' ) ) {
		return '';
	}
	$user  = wp_get_current_user();
	$roles = array_values( $user->roles );
	return ( $roles[0] ?? 'user' ) . ' #' . $user->ID;
}

/** @return array{by:string,at:int,status:string}|null `by` is empty when no person did it. */
function tillkit_set_paid( WC_Order $order ): ?array {
	$kept = json_decode( (string) $order->get_meta( '_tillkit_set_paid' ), true );
	if ( ! is_array( $kept ) || ! is_string( $kept['by'] ?? null ) || ! is_int( $kept['at'] ?? null ) || ! is_string( $kept['status'] ?? null ) ) {
		return null;
	}
	return array(
		'by'     => $kept['by'],
		'at'     => $kept['at'],
		'status' => $kept['status'],
	);
}

/**
 * Our hold landed after the owner had set the order to paid: the hold's mark is written only while there is no date of
 * payment, and whoever changes the status afterwards takes it away.
 */
function tillkit_is_late_hold( WC_Order $order ): bool {
	return 'on-hold' === $order->get_status() && $order->get_date_paid() && '' !== (string) $order->get_meta( '_tillkit_hold' );
}

/** Sets the status back to what the owner decided. The customer got the e-mails of that status when it was decided. */
function tillkit_restore_decision( WC_Order $order ): void {
	$set_paid = tillkit_set_paid( $order );
	$guess    = $order->get_date_completed() ? 'completed' : 'processing';
	$status   = null === $set_paid ? $guess : $set_paid['status'];
	$order->delete_meta_data( '_tillkit_hold' );
	$order->set_status( $status );
	$hook  = "woocommerce_order_status_on-hold_to_$status";
	$mails = array( array( 'WC_Emails', 'send_transactional_email' ), array( 'WC_Emails', 'queue_transactional_email' ) );
	$taken = array();
	foreach ( $mails as $mail ) {
		if ( remove_action( $hook, $mail, 10 ) ) {
			$taken[] = $mail;
		}
	}
	$order->save();
	foreach ( $taken as $mail ) {
		add_action( $hook, $mail, 10, 10 );
	}
}
