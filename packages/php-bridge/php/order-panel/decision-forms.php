<?php
/** The forms "Accept" and "Refund" of a payment that waits for a decision. Each says what follows before it is sent. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** @param bool $is_paid Whether the order is set to paid. */
function tillkit_decision_forms_html( array $payment, bool $is_paid ): string {
	$decision = $payment['decision'];
	$html     = '';
	if ( true === ( $decision['accept'] ?? false ) ) {
		$html .= tillkit_accept_form_html( $payment, $is_paid );
	}
	if ( true === ( $decision['accept_by_status'] ?? false ) ) {
		/* translators: %s: the names of statuses, such as "Processing or Completed" */
		$html .= '<p>' . tillkit_html( sprintf( tillkit_text( 'To accept this payment, set the order to %s and save it.' ), tillkit_host()->shop()['paid_status'] ) ) . '</p>';
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
	// Nothing can be refunded while a dispute holds the money, or while nobody knows exactly how much arrived.
	foreach ( array( 'received', 'amount' ) as $field ) {
		$kept = '' === $kept ? tillkit_text_field( tillkit_money_field( $payment, $field ), 'text' ) : $kept;
	}
	$follows = $is_paid
		/* translators: %s: an amount */
		? tillkit_text( '%s is recorded as the payment of this order. Status, stock and e-mails do not change.' )
		/* translators: %s: an amount */
		: tillkit_text( '%s counts as the payment of this order. The order becomes paid, and the customer gets the usual e-mail.' );
	/* translators: %s: an amount */
	$label = sprintf( tillkit_text( 'Accept %s' ), $kept );
	$missing = tillkit_text_field( tillkit_money_field( $payment['decision'], 'missing' ), 'text' );
	/* translators: %s: an amount */
	$missing_text = '' === $missing ? '' : '<p><strong>' . tillkit_html( sprintf( tillkit_text( '%s of the total are missing.' ), $missing ) ) . '</strong></p>';
	$html  = $missing_text . '<p>' . tillkit_html( sprintf( $follows, $kept ) ) . '</p>' . tillkit_seen_fields_html( $payment );
	$html .= tillkit_decision_button_html( 'accept', $label, 'button button-primary btn btn-primary' );
	return tillkit_form_html( tillkit_text( 'Accept…' ), $html );
}

function tillkit_refund_form_html( array $payment ): string {
	$refundable = tillkit_money_field( $payment['decision'], 'refundable' );
	$field      = 'tillkit-amount-' . substr( md5( tillkit_text_field( $payment, 'payment' ) ), 0, 8 );
	/* translators: %s: an amount */
	$at_most = sprintf( tillkit_text( 'At most %s. The money goes back to the customer and cannot be fetched back.' ), tillkit_text_field( $refundable, 'text' ) );
	$html    = '<p><label for="' . tillkit_html( $field ) . '">' . tillkit_html( tillkit_text( 'Amount' ) ) . ' (' . tillkit_html( tillkit_text_field( $refundable, 'currency' ) ) . ')</label>';
	$html   .= '<input type="text" inputmode="decimal" autocomplete="off" id="' . tillkit_html( $field ) . '" data-tillkit-field="amount" value="' . tillkit_html( tillkit_text_field( $refundable, 'decimal' ) ) . '" /></p>';
	$html   .= '<input type="hidden" data-tillkit-field="currency" value="' . tillkit_html( tillkit_text_field( $refundable, 'currency' ) ) . '" />';
	$html   .= tillkit_reason_html( "$field-reason", 'duplicate' === tillkit_text_field( $payment, 'state' ) ? 'duplicate' : 'requested_by_customer' );
	$html   .= '<p>' . tillkit_html( $at_most ) . '</p>' . tillkit_seen_fields_html( $payment );
	$html   .= tillkit_decision_button_html( 'refund', tillkit_text( 'Refund this amount' ), 'button btn btn-primary' );
	return tillkit_form_html( tillkit_text( 'Refund…' ), $html );
}

/** The reason is sent to the payment service. It is a choice and no text, because a text may contain personal data. */
function tillkit_reason_html( string $id, string $selected ): string {
	$reasons = array(
		'requested_by_customer' => tillkit_text( 'The customer asked for it' ),
		'duplicate'             => tillkit_text( 'Paid twice' ),
		'fraudulent'            => tillkit_text( 'Fraud' ),
	);
	$options = '';
	foreach ( $reasons as $reason => $label ) {
		$options .= '<option value="' . tillkit_html( $reason ) . '"' . ( $reason === $selected ? ' selected' : '' ) . '>' . tillkit_html( $label ) . '</option>';
	}
	return '<p><label for="' . tillkit_html( $id ) . '">' . tillkit_html( tillkit_text( 'Reason' ) ) . '</label><select id="' . tillkit_html( $id ) . '" data-tillkit-field="reason">' . $options . '</select></p>';
}

/** The fields have no names: the form of the order screen around them does not send them. */
function tillkit_seen_fields_html( array $payment ): string {
	$html = '<input type="hidden" data-tillkit-field="payment" value="' . tillkit_html( tillkit_text_field( $payment, 'payment' ) ) . '" />';
	return $html . '<input type="hidden" data-tillkit-field="seen" value="' . tillkit_html( tillkit_text_field( $payment['decision'], 'seen' ) ) . '" />';
}

function tillkit_decision_button_html( string $purpose, string $label, string $css_class ): string {
	return '<p><button type="button" class="' . tillkit_html( $css_class ) . '" data-tillkit-purpose="' . tillkit_html( $purpose ) . '">' . tillkit_html( $label ) . '</button></p>';
}

/** @param string $html Escaped HTML. */
function tillkit_form_html( string $summary, string $html ): string {
	return '<details><summary class="button btn btn-default btn-outline-secondary">' . tillkit_html( $summary ) . '</summary><div data-tillkit-form>' . $html . '</div></details>';
}
