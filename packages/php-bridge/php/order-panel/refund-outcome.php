<?php
/** "I have looked in the dashboard": the owner says how a refund ended whose result the payment service does not show. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/**
 * The question about a refund in doubt, with both answers; empty for any other refund.
 *
 * @param array $payments The payments of the same answer of the checkout server.
 */
function tillkit_refund_outcome_html( array $refund, array $payments ): string {
	$doubt = tillkit_text_field( $refund, 'doubt' );
	if ( '' === $doubt ) {
		return '';
	}
	$payment = tillkit_text_field( $refund, 'payment' );
	$seen    = '';
	foreach ( $payments as $row ) {
		$seen = tillkit_text_field( $row, 'payment' ) === $payment ? tillkit_text_field( $row, 'seen' ) : $seen;
	}
	$fields = array(
		'payment'    => $payment,
		'seen'       => $seen,
		'refund_key' => tillkit_text_field( $refund, 'refund_key' ),
	);
	return '<p>' . tillkit_html( $doubt ) . '</p>' . tillkit_refund_answers_html( $fields );
}

/** @param array<string,string> $fields What each answer sends along: nothing for a refund that the shop alone remembers. */
function tillkit_refund_answers_html( array $fields ): string {
	$html = '<div data-tillkit-form><p>' . tillkit_html( tillkit_looked_text() ) . '</p>';
	foreach ( $fields as $name => $value ) {
		$html .= '<input type="hidden" data-tillkit-field="' . tillkit_html( $name ) . '" value="' . tillkit_html( $value ) . '" />';
	}
	foreach ( tillkit_refund_answers() as $purpose => $label ) {
		$html .= tillkit_decision_button_html( $purpose, $label, 'button' );
	}
	return $html . '</div>';
}

function tillkit_looked_text(): string {
	return tillkit_text( 'I have looked in the payment service’s dashboard: this refund' );
}

/** @return array<string,string> Purpose => label. */
function tillkit_refund_answers(): array {
	return array(
		'refund-made'     => tillkit_text( 'was made' ),
		'refund-not-made' => tillkit_text( 'was not made' ),
	);
}
