<?php
/** The box on the order page: what was paid, the decisions about it, refunds and notes. */

defined( '_PS_VERSION_' ) || exit;

/** The answer of the checkout server is loaded after the page, which it never slows. */
function tillkit_order_panel_box( int $order_id ): string {
	$order = tillkit_order_of_shop_order( $order_id );
	if ( null === $order ) {
		return '';
	}
	$marks = '';
	foreach ( tillkit_decision_reasons( $order ) as $reason ) {
		$marks .= tillkit_notice_html( tillkit_decision_text( $reason ) );
	}
	$marks .= tillkit_attention_html( $order );
	$data   = array( 'url' => tillkit_admin_url(), 'action' => 'order', 'order' => $order->id(), 'load' => 'yes' );
	$own    = tillkit_notes_html( $order ) . tillkit_refund_of_panel_html( $order );
	$box    = tillkit_call_box_html( $data, array( 'check' => tillkit_text( 'Check now' ) ), $marks . tillkit_unconfirmed_refund_html( $order ), $own );
	return tillkit_panel_html( tillkit_text( 'Tillkit payment' ), $box );
}

/** What the checkout server wrote to the order for its owner to look at. */
function tillkit_attention_html( Tillkit_Prestashop_Order $order ): string {
	$reasons   = array(
		'refund_failed'       => tillkit_text( 'A refund that this order shows has failed. See the notes.' ),
		'refund_not_recorded' => tillkit_text( 'Money was refunded, but the shop refused to record the refund. See the notes.' ),
	);
	$attention = $order->fact( 'attention' );
	return '' === $attention ? '' : tillkit_notice_html( $reasons[ $attention ] ?? $attention ) . tillkit_decision_button_html( 'done', tillkit_text( 'I have taken care of it' ), 'button btn btn-default btn-outline-secondary' );
}

/** @param string $html Escaped HTML. */
function tillkit_panel_html( string $title, string $html ): string {
	return '<div class="card panel mt-2"><div class="card-header panel-heading"><span class="card-header-title" role="heading" aria-level="3">' . tillkit_html( $title ) . '</span></div><div class="card-body">'
		. '<link rel="stylesheet" href="' . tillkit_bridge_file( 'order-panel/order-panel.css' ) . '">' . $html . '</div></div>'
		. '<script src="' . tillkit_bridge_file( 'order-panel/buttons.js' ) . '" defer></script>';
}

function tillkit_refund_of_panel_html( Tillkit_Prestashop_Order $order ): string {
	if ( '' === tillkit_own_payment( $order ) || ! tillkit_has_rest( $order ) ) {
		return '';
	}
	$hint  = tillkit_text( 'The money goes back to the customer and cannot be fetched back. A credit slip of the shop moves no money: what its slips promise stands here until it is refunded.' );
	$html  = '<p><label for="tillkit-refund">' . tillkit_html( tillkit_text( 'Amount' ) ) . ' (' . tillkit_html( $order->currency() ) . ')</label>';
	$html .= '<input type="text" class="form-control" inputmode="decimal" autocomplete="off" id="tillkit-refund" data-tillkit-field="amount" value="' . tillkit_html( tillkit_amount_of_slips( $order ) ) . '" /></p>';
	$html .= '<p>' . tillkit_html( $hint ) . '</p>' . tillkit_decision_button_html( 'send-refund', tillkit_text( 'Refund this amount' ), 'button btn btn-primary' );
	return '<div class="tillkit-decision">' . tillkit_form_html( tillkit_text( 'Refund…' ), $html ) . '</div>';
}

function tillkit_notes_html( Tillkit_Prestashop_Order $order ): string {
	$items = '';
	foreach ( tillkit_notes( (int) $order->id() ) as $note ) {
		$when   = tillkit_host()->time_text( $note['at'], 'date' ) . ' ' . tillkit_host()->time_text( $note['at'], 'time' );
		$items .= '<li>' . tillkit_html( "$when · {$note['text']}" ) . '</li>';
	}
	return tillkit_section_html( tillkit_text( 'Notes' ), $items );
}

/** @return array{html:string,reload?:bool} Of a button of the box. */
function tillkit_answer_panel( string $order_id, string $purpose ): array {
	$order = tillkit_order_of_shop_order( (int) $order_id );
	if ( null === $order ) {
		return array( 'html' => '' );
	}
	$is_paid = tillkit_has_been_paid( $order ) && ! tillkit_is_closed( $order );
	if ( 'send-refund' === $purpose ) {
		return tillkit_panel_decision_answer( $order, tillkit_refund_from_panel( $order->id(), tillkit_requested( 'amount' ) ), $is_paid );
	}
	$posted = array_combine( TILLKIT_PANEL_FIELDS, array_map( 'tillkit_requested', TILLKIT_PANEL_FIELDS ) );
	return tillkit_answer_order_panel( $order, $purpose, $posted, $is_paid );
}
