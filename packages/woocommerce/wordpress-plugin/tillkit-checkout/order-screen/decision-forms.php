<?php
/** The forms "Accept" and "Refund" of a payment that waits for a decision. Each says what follows before it is sent. */

defined( 'ABSPATH' ) || exit;

/** @param bool $is_paid Whether the order is set to paid. */
function tillkit_decision_forms_html( array $payment, bool $is_paid ): string {
	$decision = $payment['decision'];
	$html     = '';
	if ( true === ( $decision['accept'] ?? false ) ) {
		$html .= tillkit_accept_form_html( $payment, $is_paid );
	}
	if ( true === ( $decision['accept_by_status'] ?? false ) ) {
		$html .= '<p>' . esc_html__( 'To accept this payment, set the order to Processing or Completed and save it.', 'tillkit-checkout' ) . '</p>';
	}
	// The checkout server names no amount when nothing can be refunded.
	$html .= array() === tillkit_money_field( $decision, 'refundable' ) ? '' : tillkit_refund_form_html( $payment );
	return '<div class="tillkit-decision">' . $html . '</div>';
}

/** An amount of an answer of the checkout server; empty if the answer does not have it. */
function tillkit_money_field( array $fields, string $name ): array {
	return isset( $fields[ $name ] ) && is_array( $fields[ $name ] ) ? $fields[ $name ] : array();
}

/** Names the amount that the shop keeps: a part may have been refunded before. */
function tillkit_accept_form_html( array $payment, bool $is_paid ): string {
	$kept    = tillkit_text_field( tillkit_money_field( $payment['decision'], 'refundable' ), 'text' );
	$follows = $is_paid
		/* translators: %s: an amount */
		? __( '%s is recorded as the payment of this order. Status, stock and e-mails do not change.', 'tillkit-checkout' )
		/* translators: %s: an amount */
		: __( '%s counts as the payment of this order. The order becomes paid, and the customer gets the usual e-mail.', 'tillkit-checkout' );
	/* translators: %s: an amount */
	$label = sprintf( __( 'Accept %s', 'tillkit-checkout' ), $kept );
	$missing = tillkit_text_field( tillkit_money_field( $payment['decision'], 'missing' ), 'text' );
	/* translators: %s: an amount */
	$missing_text = '' === $missing ? '' : '<p><strong>' . esc_html( sprintf( __( '%s of the total are missing.', 'tillkit-checkout' ), $missing ) ) . '</strong></p>';
	$html  = $missing_text . '<p>' . esc_html( sprintf( $follows, $kept ) ) . '</p>' . tillkit_seen_fields_html( $payment );
	$html .= tillkit_decision_button_html( 'accept', $label, 'button button-primary' );
	return tillkit_form_html( __( 'Accept…', 'tillkit-checkout' ), $html );
}

function tillkit_refund_form_html( array $payment ): string {
	$refundable = tillkit_money_field( $payment['decision'], 'refundable' );
	$field      = 'tillkit-amount-' . substr( md5( tillkit_text_field( $payment, 'payment' ) ), 0, 8 );
	/* translators: %s: an amount */
	$at_most = sprintf( __( 'At most %s. The money goes back to the customer and cannot be fetched back.', 'tillkit-checkout' ), tillkit_text_field( $refundable, 'text' ) );
	$html    = '<p><label for="' . esc_attr( $field ) . '">' . esc_html__( 'Amount', 'tillkit-checkout' ) . ' (' . esc_html( tillkit_text_field( $refundable, 'currency' ) ) . ')</label>';
	$html   .= '<input type="text" inputmode="decimal" autocomplete="off" id="' . esc_attr( $field ) . '" data-tillkit-field="amount" value="' . esc_attr( tillkit_text_field( $refundable, 'decimal' ) ) . '" /></p>';
	$html   .= '<input type="hidden" data-tillkit-field="currency" value="' . esc_attr( tillkit_text_field( $refundable, 'currency' ) ) . '" />';
	$html   .= tillkit_reason_html( "$field-reason", 'duplicate' === tillkit_text_field( $payment, 'state' ) ? 'duplicate' : 'requested_by_customer' );
	$html   .= '<p>' . esc_html( $at_most ) . '</p>' . tillkit_seen_fields_html( $payment );
	$html   .= tillkit_decision_button_html( 'refund', __( 'Refund this amount', 'tillkit-checkout' ), 'button' );
	return tillkit_form_html( __( 'Refund…', 'tillkit-checkout' ), $html );
}

/** The reason is sent to the payment service. It is a choice and no text, because a text may contain personal data. */
function tillkit_reason_html( string $id, string $selected ): string {
	$reasons = array(
		'requested_by_customer' => __( 'The customer asked for it', 'tillkit-checkout' ),
		'duplicate'             => __( 'Paid twice', 'tillkit-checkout' ),
		'fraudulent'            => __( 'Fraud', 'tillkit-checkout' ),
	);
	$options = '';
	foreach ( $reasons as $reason => $label ) {
		$options .= '<option value="' . esc_attr( $reason ) . '"' . ( $reason === $selected ? ' selected' : '' ) . '>' . esc_html( $label ) . '</option>';
	}
	return '<p><label for="' . esc_attr( $id ) . '">' . esc_html__( 'Reason', 'tillkit-checkout' ) . '</label><select id="' . esc_attr( $id ) . '" data-tillkit-field="reason">' . $options . '</select></p>';
}

/** The fields have no names: the form of the order screen around them does not send them. */
function tillkit_seen_fields_html( array $payment ): string {
	$html = '<input type="hidden" data-tillkit-field="payment" value="' . esc_attr( tillkit_text_field( $payment, 'payment' ) ) . '" />';
	return $html . '<input type="hidden" data-tillkit-field="seen" value="' . esc_attr( tillkit_text_field( $payment['decision'], 'seen' ) ) . '" />';
}

function tillkit_decision_button_html( string $purpose, string $label, string $css_class ): string {
	return '<p><button type="button" class="' . esc_attr( $css_class ) . '" data-tillkit-purpose="' . esc_attr( $purpose ) . '">' . esc_html( $label ) . '</button></p>';
}

/** @param string $html Escaped HTML. */
function tillkit_form_html( string $summary, string $html ): string {
	return '<details><summary class="button">' . esc_html( $summary ) . '</summary><div data-tillkit-form>' . $html . '</div></details>';
}
