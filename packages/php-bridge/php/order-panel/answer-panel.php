<?php
/** Answers the buttons of the order panel. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** What the forms of the panel send, beside the purpose. */
const TILLKIT_PANEL_FIELDS = array( 'payment', 'seen', 'amount', 'currency', 'reason', 'refund_key' );

/**
 * Purposes: `status` shows the order; `check` first verifies its payments at the service; `accept` and `refund` decide about one
 * payment; `done` removes the mark of a refund that the owner has looked at; `refund-made` and `refund-not-made` say how a refund ended
 * whose result nobody knows, after the owner has looked in the dashboard of the payment service.
 *
 * @param array<string,string> $posted  TILLKIT_PANEL_FIELDS.
 * @param bool                 $is_paid Whether the order is set to paid.
 * @return array{html:string,reload?:bool}
 */
function tillkit_answer_order_panel( Tillkit_Order $order, string $purpose, array $posted, bool $is_paid ): array {
	if ( 'done' === $purpose ) {
		$order->write_facts( array( 'attention' => '' ) );
		return tillkit_reload_answer();
	}
	if ( 'refund-made' === $purpose || 'refund-not-made' === $purpose ) {
		return tillkit_panel_decision_answer( $order, tillkit_decide_refund_outcome( $order, 'refund-made' === $purpose, $posted ), $is_paid );
	}
	if ( 'accept' === $purpose || 'refund' === $purpose ) {
		return tillkit_panel_decision_answer( $order, tillkit_decide( $order, $purpose, $posted ), $is_paid );
	}
	return array( 'html' => tillkit_order_panel_html( $order, tillkit_call_about_order( 'check' === $purpose ? 'check' : 'status', $order ), $is_paid ) );
}

/**
 * After a decision the page is loaded again: it still shows the old status, and saving it would set that status. A refused decision is shown
 * with what is true now.
 *
 * @param array|true|Tillkit_Error $answer Of the decision.
 */
function tillkit_panel_decision_answer( Tillkit_Order $order, $answer, bool $is_paid ): array {
	if ( ! $answer instanceof Tillkit_Error ) {
		return tillkit_reload_answer();
	}
	$status = tillkit_call_about_order( 'status', $order );
	return array( 'html' => tillkit_warning_html( $answer ) . ( $status instanceof Tillkit_Error ? '' : tillkit_order_panel_html( $order, $status, $is_paid ) ) );
}

/** @param array|Tillkit_Error $answer */
function tillkit_order_panel_html( Tillkit_Order $order, $answer, bool $is_paid ): string {
	if ( $answer instanceof Tillkit_Error ) {
		return tillkit_warning_html( $answer );
	}
	tillkit_follow_decision( $order, $answer );
	return tillkit_order_timeline_html( $answer, $is_paid );
}

/** Makes the browser load the page again, because the data of the page has changed. */
function tillkit_reload_answer(): array {
	return array(
		'html'   => '<p>' . tillkit_html( tillkit_text( 'Loading…' ) ) . '</p>',
		'reload' => true,
	);
}

/** A refund whose result is not known: what the owner does about it. */
function tillkit_unconfirmed_refund_html( Tillkit_Order $order ): string {
	$refund = tillkit_unconfirmed_refund( $order );
	if ( null === $refund ) {
		return '';
	}
	/* translators: %s: an amount */
	$unknown = tillkit_text( 'A refund of %s is not confirmed, and the checkout server no longer knows the payment of this order. See in the payment service’s dashboard whether the money went back. Then say what you saw, so that this order can be refunded again.' );
	/* translators: %s: an amount */
	$again = tillkit_text( 'A refund of %s is not confirmed. Refund the same amount again: the money is not refunded twice.' );
	$text  = sprintf( $refund['is_order_unknown'] ? $unknown : $again, tillkit_unconfirmed_amount( $order, $refund ) );
	return tillkit_notice_html( $text ) . ( $refund['is_order_unknown'] ? tillkit_refund_answers_html( array() ) : '' );
}

/**
 * A box whose buttons order-panel/buttons.js sends to the shop. It shows what the shop answers.
 *
 * @param array<string,string> $data   `url`, and what else is sent: `action`, `nonce`, `order`; `load`: `yes` loads the answer at once.
 * @param string               $before Escaped HTML above the answer.
 * @param array<string,string> $buttons Purpose => label.
 */
function tillkit_call_box_html( array $data, array $buttons, string $before = '', string $after = '' ): string {
	$data += array( 'failure-text' => tillkit_text( 'The shop did not answer. Reload this page.' ) );
	$html  = '<div class="tillkit-box" data-tillkit-call' . tillkit_data_html( $data ) . '>' . $before . '<div data-tillkit-answer aria-live="polite">';
	$html .= ( isset( $data['load'] ) ? '<p>' . tillkit_html( tillkit_text( 'Loading…' ) ) . '</p>' : '' ) . '</div>' . $after . '<p>';
	foreach ( $buttons as $purpose => $label ) {
		$html .= '<button type="button" class="button btn btn-default btn-outline-secondary" data-tillkit-purpose="' . tillkit_html( $purpose ) . '">' . tillkit_html( $label ) . '</button> ';
	}
	return $html . '</p></div>';
}
