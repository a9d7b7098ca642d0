<?php
/** Answers the buttons of the order box. */

defined( 'ABSPATH' ) || exit;

/**
 * Purposes: `status` shows the order; `check` first verifies its payments at the service; `accept` and `refund` decide about one
 * payment; `done` removes the mark of a refund that the owner has looked at; `refund-made` and `refund-not-made` say how a refund ended
 * whose result nobody knows, after the owner has looked in the dashboard of the payment service.
 */
function tillkit_answer_order_box(): void {
	tillkit_require_admin_request( 'tillkit_order', 'edit_shop_orders' );
	$order = wc_get_order( absint( tillkit_posted_text( 'order' ) ) );
	if ( ! $order instanceof WC_Order || ! tillkit_is_own_order( $order ) ) {
		tillkit_send_admin_html( '', 404 );
		return;
	}
	$purpose = tillkit_posted_text( 'purpose' );
	if ( 'done' === $purpose ) {
		tillkit_end_attention( $order );
		tillkit_reload_admin_page();
	} elseif ( 'refund-made' === $purpose || 'refund-not-made' === $purpose ) {
		tillkit_answer_refund_outcome( $order, 'refund-made' === $purpose );
	} elseif ( 'accept' === $purpose || 'refund' === $purpose ) {
		tillkit_answer_decision_form( $order, $purpose );
	} else {
		tillkit_send_admin_html( tillkit_order_html( $order, tillkit_call_about_order( 'check' === $purpose ? 'check' : 'status', $order ) ) );
	}
}

/** A field of the request whose nonce tillkit_require_admin_request() has verified. Plain text of at most 200 characters. */
function tillkit_posted_text( string $name ): string {
	// phpcs:ignore WordPress.Security.NonceVerification.Missing, WordPress.Security.ValidatedSanitizedInput -- Verified by the caller; every use checks the form of the text.
	$value = $_POST[ $name ] ?? '';
	return is_string( $value ) ? substr( trim( wp_unslash( $value ) ), 0, 200 ) : '';
}

/** @return array<string,mixed>|WP_Error */
function tillkit_call_about_order( string $purpose, WC_Order $order, array $body_fields = array() ) {
	return tillkit_call_checkout_server(
		$purpose,
		$body_fields + array(
			'order'    => (string) $order->get_id(),
			'key'      => (string) $order->get_order_key(),
			'language' => tillkit_language(),
		)
	);
}

/** @param array|WP_Error $answer */
function tillkit_order_html( WC_Order $order, $answer ): string {
	if ( is_wp_error( $answer ) ) {
		return tillkit_warning_html( $answer );
	}
	tillkit_follow_decision( $order, $answer );
	return tillkit_order_timeline_html( $answer, $order->is_paid() );
}

/** After a decision the page is loaded again: it still shows the old status, and saving it would set that status. */
function tillkit_answer_decision_form( WC_Order $order, string $decision ): void {
	$fields = tillkit_decision_fields( $decision, (string) $order->get_currency() );
	$answer = is_wp_error( $fields ) ? $fields : tillkit_call_about_order( 'decide', $order, $fields );
	if ( is_wp_error( $answer ) ) {
		$status = tillkit_call_about_order( 'status', $order );
		tillkit_send_admin_html( tillkit_warning_html( $answer ) . ( is_wp_error( $status ) ? '' : tillkit_order_html( $order, $status ) ) );
		return;
	}
	tillkit_follow_decision( tillkit_fresh_order( $order->get_id() ) ?? $order, $answer );
	tillkit_reload_admin_page();
}

/**
 * What the owner saw and decided. The checkout server refuses the decision if something else is true by now.
 *
 * @return array<string,string>|WP_Error
 */
function tillkit_decision_fields( string $decision, string $currency ) {
	$fields = array(
		'decision' => $decision,
		'payment'  => tillkit_posted_text( 'payment' ),
		'seen'     => tillkit_posted_text( 'seen' ),
		'by'       => tillkit_current_actor(),
	);
	if ( 'accept' === $decision ) {
		return $fields;
	}
	// As people type it: with spaces between the thousands, also such that do not break the line, and with a decimal comma.
	$amount = str_replace( array( ' ', "\u{a0}", "\u{202f}", ',' ), array( '', '', '', '.' ), tillkit_posted_text( 'amount' ) );
	if ( ! preg_match( '/^[0-9]{1,15}(\.[0-9]{1,20})?\z/', $amount ) ) {
		return new WP_Error( 'tillkit_refund', __( 'Enter the amount to refund.', 'tillkit-checkout' ) );
	}
	// 1,500 is fifteen hundred to some people and one and a half to others.
	if ( preg_match( '/\.[0-9]{3}\z/', $amount ) ) {
		return new WP_Error( 'tillkit_refund', __( 'Enter the amount without a separator of thousands: 1500 or 1500.50.', 'tillkit-checkout' ) );
	}
	$currency_seen = tillkit_posted_text( 'currency' );
	return $fields + array(
		'amount'   => $amount,
		'currency' => '' === $currency_seen ? $currency : $currency_seen,
		'reason'   => tillkit_posted_text( 'reason' ),
	);
}

/** The ledger of the checkout server learns the answer too. Only a refund of an order that it does not know ends in the shop alone. */
function tillkit_answer_refund_outcome( WC_Order $order, bool $was_made ): void {
	$fields = array(
		'decision'   => 'refund-outcome',
		'payment'    => tillkit_posted_text( 'payment' ),
		'seen'       => tillkit_posted_text( 'seen' ),
		'by'         => tillkit_current_actor(),
		'refund_key' => tillkit_posted_text( 'refund_key' ),
		'made'       => $was_made ? 'yes' : 'no',
	);
	if ( '' === $fields['payment'] ) {
		tillkit_forget_refund( $order, $was_made );
		tillkit_reload_admin_page();
		return;
	}
	$answer = tillkit_call_about_order( 'decide', $order, $fields );
	if ( is_wp_error( $answer ) ) {
		$status = tillkit_call_about_order( 'status', $order );
		tillkit_send_admin_html( tillkit_warning_html( $answer ) . ( is_wp_error( $status ) ? '' : tillkit_order_html( $order, $status ) ) );
		return;
	}
	tillkit_follow_decision( tillkit_fresh_order( $order->get_id() ) ?? $order, $answer );
	tillkit_end_settled_refund( $order, $fields['refund_key'], $was_made );
	tillkit_reload_admin_page();
}

/** A refund that was made keeps its key: the next click on the same amount records it in the order and sends no money. */
function tillkit_end_settled_refund( WC_Order $order, string $key, bool $was_made ): void {
	$end = static function () use ( $order, $key, $was_made ): bool {
		$fresh  = tillkit_fresh_order( $order->get_id() );
		$refund = null === $fresh ? null : tillkit_unconfirmed_refund( $fresh );
		if ( null !== $refund && $refund['key'] === $key && ! $was_made ) {
			tillkit_finish_refund( $fresh );
		}
		return true;
	};
	tillkit_with_lock( $order->get_id() . '_refund', 0, $end );
}

/** The checkout server does not know the order any more. Any other unconfirmed refund keeps its key: the next click gets its result. */
function tillkit_forget_refund( WC_Order $order, bool $was_made ): void {
	$forget = static function () use ( $order, $was_made ): bool {
		$fresh  = tillkit_fresh_order( $order->get_id() );
		$refund = null === $fresh ? null : tillkit_unconfirmed_refund( $fresh );
		if ( null !== $refund && $refund['is_order_unknown'] ) {
			tillkit_finish_refund( $fresh );
			tillkit_note_refund_outcome( $fresh, $refund['amount'], $was_made );
		}
		return true;
	};
	tillkit_with_lock( $order->get_id() . '_refund', 0, $forget );
}

function tillkit_end_attention( WC_Order $order ): void {
	$order->delete_meta_data( '_tillkit_attention' );
	$order->save_meta_data();
	delete_transient( TILLKIT_WAITING_ORDERS_TRANSIENT );
}
